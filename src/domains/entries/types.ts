/** GraphQL types of entries. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { maxLoaderBatchSize } from '../../lib/cache/per-request-loader.ts';
import { findTextInLocale } from '../blocks/localized-text.ts';
import { BlockGraphqlType } from '../blocks/types.ts';
import { CollectionGraphqlType, ContentStatusEntry, ContentStatusEnum } from '../collections/types.ts';
import { buildRelationshipTargetKey, loadRelationshipTargets } from './blocks/relationship-targets.ts';
import { type Entry, getOwnerCollectionId } from './model.ts';
import type { BlockLocale, LocalizedEntry } from './read/localize-entry.ts';
import type {
  EntryWithRedirectToCurrentSlug,
  RedirectToCurrentSlug,
} from './slugs/find-entry-by-previous-slug.ts';

const RedirectGraphqlType = builder.objectRef<RedirectToCurrentSlug>('EntryRedirect').implement({
  description: 'Redirect from a previous slug of an entry to its current slug.',
  fields: outputFields({
    from: ['String!', 'Slug of the request.'],
    to: ['String', 'Current slug of the entry in the same locale; null when it has none.'],
  }),
});

const BlockLocaleGraphqlType = builder.objectRef<BlockLocale>('EntryBlockLocale').implement({
  description: 'Locale in which a localised text of an entry is returned.',
  fields: outputFields({
    block: ['ID!', 'Id of the block that has the text.'],
    locale: ['String', 'Locale of the returned text; null when none of the requested locales has a text.'],
  }),
});

export const EntryGraphqlType = builder.objectRef<Entry>('Entry').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'An item of content.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the entry.'],
    businessId: ['ID!', 'Id of the business.'],
    slug: t.string({
      pure: true,
      nullable: true,
      description:
        'Text of the block `slug`, in the locale of the entry if it is localised; `entry` finds the entry by it. Null without one.',
      resolve: ({ blocks, locale }) =>
        findTextInLocale(blocks.find(({ id }) => id === 'slug')?.value, locale) ?? null,
    }),
    owner: ['String!', 'Owner of the entry: `collection:<id>`, `order:<id>` or `reservation:<id>`.'],
    collectionId: t.id({
      pure: true,
      nullable: true,
      description: 'Id of the owning collection; null when an order or a reservation owns the entry.',
      resolve: (entry) => getOwnerCollectionId(entry) ?? null,
    }),
    collection: t.loadable({
      type: CollectionGraphqlType,
      nullable: true,
      description: 'Owning collection; null when the entry has none or the viewer may not see it.',
      complexity: 5,
      loaderOptions: { maxBatchSize: maxLoaderBatchSize },
      load: (keys: string[], ctx) => loadRelationshipTargets(ctx, keys) as never,
      resolve: (entry) => {
        const id = getOwnerCollectionId(entry);
        return id ? buildRelationshipTargetKey(entry.businessId, 'COLLECTION', id) : null;
      },
    }),
    locale: ['String!', 'Locale in which the entry was written, such as `en`.'],
    blocks: t.expose('blocks', { type: [BlockGraphqlType], description: 'Block values of the entry.' }),
    statuses: t.expose('statuses', {
      type: [ContentStatusEntry],
      description: 'Status history, oldest first; the last item is current.',
    }),
    status: t.field({
      pure: true,
      type: ContentStatusEnum,
      description: 'Current status.',
      resolve: (entry) => entry.statuses.at(-1)?.status ?? 'DRAFT',
    }),
    publishAt: [
      'Timestamp',
      'Scheduled publication; null when none is scheduled or the viewer is not staff.',
    ],
    unpublishAt: [
      'Timestamp',
      'Scheduled return to DRAFT; null when none is scheduled or the viewer is not staff.',
    ],
    blockLocales: t.field({
      pure: true,
      type: [BlockLocaleGraphqlType],
      nullable: true,
      description: 'Locale selected for each localised text; null when the request names no locales.',
      resolve: (entry) => (entry as LocalizedEntry).blockLocales ?? null,
    }),
    redirect: t.field({
      pure: true,
      type: RedirectGraphqlType,
      nullable: true,
      description: 'Redirect to the current slug; null unless the entry was requested by a previous slug.',
      resolve: (entry) => (entry as EntryWithRedirectToCurrentSlug).redirect ?? null,
    }),
  })),
});

export const EntryConnection = createConnectionType('Entry', EntryGraphqlType);

export const EntryPayload = createPayloadType('EntryPayload', 'entry', EntryGraphqlType);
