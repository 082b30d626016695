/** Values of blocks, each under the type it has: what frontends read without casting. */

import type { ObjectRef } from '@pothos/core';
import { builder } from '../../../graphql/schema/builder.ts';
import { maxLoaderBatchSize } from '../../../lib/cache/request-loader.ts';
import { textInLocale } from '../../blocks/localised-text.ts';
import { BlockTypeEnum } from '../../blocks/types.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import { CartLineType, CartType } from '../../carts/types.ts';
import { CollectionType } from '../../collections/types.ts';
import { OrderType } from '../../orders/types.ts';
import { ProductType } from '../../products/types.ts';
import type { Media } from '../../shared/model.ts';
import { MediaType } from '../../shared/types.ts';
import type { Person } from '../../users/people/business-people.ts';
import { EntryDraftType } from '../drafts/types.ts';
import { EntryType } from '../types.ts';
import { EntryVersionType } from '../versions/types.ts';
import {
  loadRelationshipTargets,
  type RelationshipTargetRecord,
  relationshipTargetKey,
  targetTypeSymbol,
} from './relationship-targets.ts';

const PersonType = builder.objectRef<Person>('Person').implement({
  description: 'Somebody tied to the business, as anybody may know them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the user.' }),
    name: t.exposeString('name', { description: 'Their name.' }),
  }),
});

const RelationshipTarget = builder.unionType('RelationshipTarget', {
  description: 'What a relationship points at.',
  types: [PersonType, ProductType, EntryType, CollectionType, OrderType],
  resolveType: (target) => typeNames[(target as RelationshipTargetRecord)[targetTypeSymbol]],
});

const typeNames = {
  USER: 'Person',
  PRODUCT: 'Product',
  ENTRY: 'Entry',
  COLLECTION: 'Collection',
  ORDER: 'Order',
} as const;

const GeoLocationType = builder.objectRef<{ latitude: number; longitude: number }>('GeoLocation').implement({
  description: 'A place on earth.',
  fields: (t) => ({
    latitude: t.exposeFloat('latitude', { description: 'Degrees north.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east.' }),
  }),
});

/** A record whose blocks have values. */
interface WithBlocks {
  businessId: string;
  /** What it was written in; products do not say. */
  locale?: string | undefined;
  blocks: readonly ValueBlock[];
}

interface BlockValue {
  of: WithBlocks;
  block: ValueBlock;
}

/** The value if the block is of one of these types. */
const typedValue = <Value>({ block }: BlockValue, ...types: ValueBlock['type'][]): Value | null =>
  types.includes(block.type) ? ((block.value ?? null) as Value | null) : null;

const BlockValueType = builder.objectRef<BlockValue>('BlockValue').implement({
  description: 'The value of one block. Fields of other types than the block has are null.',
  fields: (t) => ({
    id: t.id({ description: 'Key of the block within its schema.', resolve: ({ block }) => block.id }),
    type: t.field({ type: BlockTypeEnum, description: 'Kind of value.', resolve: ({ block }) => block.type }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The value as it is stored.',
      resolve: ({ block }) => block.value ?? null,
    }),
    text: t.string({
      nullable: true,
      description: 'The text or the chosen option (TEXT, SELECT).',
      args: {
        locale: t.arg.string({
          description:
            'Locale to read. Missing texts fall back to its language, the locale of the entry, then any.',
        }),
      },
      resolve: ({ of, block }, { locale }) =>
        block.type === 'TEXT' || block.type === 'SELECT'
          ? (textInLocale(block.value, locale ?? undefined, of.locale ?? '') ?? null)
          : null,
    }),
    asNumber: t.float({
      nullable: true,
      description: 'As JSON has it (NUMBER).',
      resolve: (value) => typedValue<number>(value, 'NUMBER'),
    }),
    asBoolean: t.boolean({
      nullable: true,
      description: 'True or false (BOOLEAN).',
      resolve: (value) => typedValue<boolean>(value, 'BOOLEAN'),
    }),
    asDate: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'The moment (DATE).',
      resolve: (value) => typedValue<number>(value, 'DATE'),
    }),
    asGeo: t.field({
      type: GeoLocationType,
      nullable: true,
      description: 'The place (GEO_LOCATION).',
      resolve: (value) => typedValue<{ latitude: number; longitude: number }>(value, 'GEO_LOCATION'),
    }),
    asMedia: t.field({
      type: [MediaType],
      nullable: true,
      description: 'The media items, a single one as a list of one (MEDIA).',
      resolve: (value) => {
        const media = typedValue<Media | Media[]>(value, 'MEDIA');
        return media === null || Array.isArray(media) ? media : [media];
      },
    }),
    asOptions: t.stringList({
      nullable: true,
      description: 'The chosen options (SELECT, MULTI_SELECT).',
      resolve: (value) => {
        const chosen = typedValue<string | string[]>(value, 'SELECT', 'MULTI_SELECT');
        return typeof chosen === 'string' ? [chosen] : chosen;
      },
    }),
    asRelationship: t.loadable({
      type: RelationshipTarget,
      nullable: true,
      description: 'The record (RELATIONSHIP); null when it is gone or not for the viewer to see.',
      complexity: 5,
      loaderOptions: { maxBatchSize: maxLoaderBatchSize },
      load: (keys: string[], ctx) => loadRelationshipTargets(ctx, keys),
      resolve: ({ of, block }) =>
        block.target && typeof block.value === 'string'
          ? relationshipTargetKey(of.businessId, block.target, block.value)
          : null,
    }),
  }),
});

const blockField = <T extends WithBlocks>(type: ObjectRef<typeof builder.$inferSchemaTypes, T>) =>
  builder.objectField(type, 'block', (t) =>
    t.field({
      type: BlockValueType,
      nullable: true,
      description: 'One block by its id, with its value under the type it has.',
      args: { id: t.arg.id({ required: true, description: 'Key of the block.' }) },
      resolve: (record, { id }) => {
        const of: WithBlocks = record as T;
        const block = of.blocks.find((candidate) => candidate.id === id);
        return block ? { of, block } : null;
      },
    }),
  );

blockField(EntryType);
blockField(EntryDraftType);
blockField(EntryVersionType);
blockField(ProductType);
blockField(OrderType);
blockField(CartType);
blockField(CartLineType);
