/** GraphQL type `BlockValue`: a block value under the field of its type, so that clients need no cast. */
import type { ObjectRef } from '@pothos/core';
import { builder } from '../../../graphql/schema/builder.ts';
import { fieldArgs, outputFields } from '../../../graphql/schema/field-tables.ts';
import { maxLoaderBatchSize } from '../../../lib/cache/per-request-loader.ts';
import { findTextInLocale } from '../../blocks/localized-text.ts';
import { parseRichText } from '../../blocks/parse-rich-text.ts';
import { BlockTypeEnum } from '../../blocks/types.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';
import { CartGraphqlType, CartLineGraphqlType } from '../../carts/types.ts';
import { CollectionGraphqlType } from '../../collections/types.ts';
import { OrderGraphqlType } from '../../orders/types.ts';
import { ProductGraphqlType } from '../../products/types.ts';
import { MediaGraphqlType } from '../../shared/media-and-status-graphql-types.ts';
import type { MediaItem } from '../../shared/media-and-status-history-types.ts';
import type { NamedBusinessContact } from '../../users/people/user-lookups-for-other-domains.ts';
import { EntryDraftGraphqlType } from '../drafts/types.ts';
import { EntryGraphqlType } from '../types.ts';
import { EntryVersionGraphqlType } from '../versions/types.ts';
import {
  buildRelationshipTargetKey,
  loadRelationshipTargets,
  type RelationshipTargetRecord,
  relationshipTargetTypeSymbol,
} from './relationship-targets.ts';

const PersonGraphqlType = builder.objectRef<NamedBusinessContact>('Person').implement({
  description: 'Public profile of a member or customer of the business.',
  fields: outputFields((t) => ({
    userId: t.exposeID('id', { description: 'Id of the user.' }),
    name: ['String!', 'Name of the user.'],
  })),
});

const RelationshipTargetGraphqlUnion = builder.unionType('RelationshipTarget', {
  description: 'Record that a relationship points to.',
  types: [PersonGraphqlType, ProductGraphqlType, EntryGraphqlType, CollectionGraphqlType, OrderGraphqlType],
  resolveType: (target) => typeNames[(target as RelationshipTargetRecord)[relationshipTargetTypeSymbol]],
});

const typeNames = {
  USER: 'Person',
  PRODUCT: 'Product',
  ENTRY: 'Entry',
  COLLECTION: 'Collection',
  ORDER: 'Order',
} as const;

const GeoLocationGraphqlType = builder
  .objectRef<{ latitude: number; longitude: number }>('GeoLocation')
  .implement({
    description: 'Geographic coordinates.',
    fields: outputFields({
      latitude: ['Float!', 'Latitude in degrees, -90 to 90.'],
      longitude: ['Float!', 'Longitude in degrees, -180 to 180.'],
    }),
  });

/** Record with block values. */
interface RecordWithBlocks {
  businessId: string;
  /** Locale of the record; products have none. */
  locale?: string | undefined;
  blocks: readonly ValueBlock[];
}

interface BlockValue {
  record: RecordWithBlocks;
  block: ValueBlock;
}

/** Value of the block if it has one of `types`, otherwise null. */
const typedValue = <Value>({ block }: BlockValue, ...types: ValueBlock['type'][]): Value | null =>
  types.includes(block.type) ? ((block.value ?? null) as Value | null) : null;

const BlockValueGraphqlType = builder.objectRef<BlockValue>('BlockValue').implement({
  description: 'Value of one block. Fields of other block types are null.',
  fields: (t) => ({
    key: t.id({ description: 'Key of the block within its record.', resolve: ({ block }) => block.id }),
    type: t.field({ type: BlockTypeEnum, description: 'Kind of value.', resolve: ({ block }) => block.type }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Stored value.',
      resolve: ({ block }) => block.value ?? null,
    }),
    text: t.string({
      nullable: true,
      description: 'Text or selected option (TEXT, SELECT).',
      args: fieldArgs({
        locale: [
          'String',
          'Locale to read. Falls back to its language, then to the locale of the entry, then to any text.',
        ],
      }),
      resolve: ({ record, block }, { locale }) =>
        block.type === 'TEXT' || block.type === 'SELECT'
          ? (findTextInLocale(block.value, locale ?? undefined, record.locale ?? '') ?? null)
          : null,
    }),
    richText: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'Rich text as a tree in the hast format: nodes of type `root`, `element` (`tagName`, `properties`, `children`) and `text` (`value`). Contains only tags and URLs that are safe to render (TEXT with the variant `HTML`).',
      complexity: 5,
      args: fieldArgs({ locale: ['String', 'Locale to read, with the fallbacks of `text`.'] }),
      resolve: ({ record, block }, { locale }) => {
        if (block.type !== 'TEXT') return null;
        const html = findTextInLocale(block.value, locale ?? undefined, record.locale ?? '');
        return html === undefined ? null : parseRichText(html);
      },
    }),
    asNumber: t.float({
      nullable: true,
      description: 'Content of a NUMBER block.',
      resolve: (value) => typedValue<number>(value, 'NUMBER'),
    }),
    asBoolean: t.boolean({
      nullable: true,
      description: 'Content of a BOOLEAN block.',
      resolve: (value) => typedValue<boolean>(value, 'BOOLEAN'),
    }),
    asDate: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'Time in Unix seconds (DATE).',
      resolve: (value) => typedValue<number>(value, 'DATE'),
    }),
    asGeo: t.field({
      type: GeoLocationGraphqlType,
      nullable: true,
      description: 'Coordinates (GEO_LOCATION).',
      resolve: (value) => typedValue<{ latitude: number; longitude: number }>(value, 'GEO_LOCATION'),
    }),
    asMedia: t.field({
      type: [MediaGraphqlType],
      nullable: true,
      description: 'Media items; a single item is returned as a list (MEDIA). Null for other types.',
      resolve: (value) => {
        const media = typedValue<MediaItem | MediaItem[]>(value, 'MEDIA');
        return media === null || Array.isArray(media) ? media : [media];
      },
    }),
    asOptions: t.stringList({
      nullable: true,
      description: 'Selected options (SELECT, MULTI_SELECT). Null for other types.',
      resolve: (value) => {
        const selected = typedValue<string | string[]>(value, 'SELECT', 'MULTI_SELECT');
        return typeof selected === 'string' ? [selected] : selected;
      },
    }),
    asRelationship: t.loadable({
      type: RelationshipTargetGraphqlUnion,
      nullable: true,
      description: 'Target record (RELATIONSHIP); null when it was deleted or the viewer may not see it.',
      complexity: 5,
      loaderOptions: { maxBatchSize: maxLoaderBatchSize },
      load: (keys: string[], ctx) => loadRelationshipTargets(ctx, keys),
      resolve: ({ record, block }) =>
        block.target && typeof block.value === 'string'
          ? buildRelationshipTargetKey(record.businessId, block.target, block.value)
          : null,
    }),
  }),
});

const addBlockField = <T extends RecordWithBlocks>(type: ObjectRef<typeof builder.$inferSchemaTypes, T>) =>
  builder.objectField(type, 'block', (t) =>
    t.field({
      type: BlockValueGraphqlType,
      nullable: true,
      description:
        'Block by id, with its value under the field of its type; null when there is no such block.',
      args: fieldArgs({ id: ['ID!', 'Key of the block.'] }),
      resolve: (parent, { id }) => {
        const record: RecordWithBlocks = parent as T;
        const block = record.blocks.find((candidate) => candidate.id === id);
        return block ? { record, block } : null;
      },
    }),
  );

addBlockField(EntryGraphqlType);
addBlockField(EntryDraftGraphqlType);
addBlockField(EntryVersionGraphqlType);
addBlockField(ProductGraphqlType);
addBlockField(OrderGraphqlType);
addBlockField(CartGraphqlType);
addBlockField(CartLineGraphqlType);
