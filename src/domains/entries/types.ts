/** GraphQL types of entries. */

import { pureField } from '../../graphql/fast/pure-fields.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { createPayloadType } from '../../graphql/schema/type-helpers.ts';
import { maxLoaderBatchSize } from '../../lib/cache/request-loader.ts';
import { BlockObject } from '../blocks/types.ts';
import { CollectionType, ContentStatusEntry, ContentStatusEnum } from '../collections/types.ts';
import { loadRelationshipTargets, relationshipTargetKey } from './blocks/relationship-targets.ts';
import { collectionIdOf, type Entry } from './model.ts';
import type { BlockLocale, LocalisedEntry } from './read/select-locales.ts';
import type { EntryWithRedirect, SlugRedirect } from './slugs/slug-redirects.ts';

const RedirectType = builder.objectRef<SlugRedirect>('EntryRedirect').implement({
  description: 'Where a slug leads that an entry had.',
  fields: (t) => ({
    from: t.exposeString('from', { description: 'The slug that was asked for.' }),
    to: t.exposeString('to', {
      nullable: true,
      description: 'The slug that the entry has now in the same locale; null when it has none.',
    }),
  }),
});

const BlockLocaleType = builder.objectRef<BlockLocale>('EntryBlockLocale').implement({
  description: 'The locale that a text of an entry is shown in.',
  fields: (t) => ({
    block: t.exposeID('block', { description: 'Its id in the schema of the collection.' }),
    locale: t.exposeString('locale', {
      nullable: true,
      description: 'The locale; null when there is no text in any of those asked for.',
    }),
  }),
});

export const EntryType = builder.objectRef<Entry>('Entry').implement({
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'An item of content.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the entry.' }),
    businessId: t.exposeID('businessId', { description: 'The business it belongs to.' }),
    owner: t.exposeString('owner', {
      description: '`collection:<id>`, `order:<id>` or `reservation:<id>`.',
    }),
    collectionId: t.id({
      ...pureField,
      nullable: true,
      description: 'The collection that owns it.',
      resolve: (entry) => collectionIdOf(entry) ?? null,
    }),
    collection: t.loadable({
      type: CollectionType,
      nullable: true,
      description: 'The collection that owns it.',
      complexity: 5,
      loaderOptions: { maxBatchSize: maxLoaderBatchSize },
      load: (keys: string[], ctx) => loadRelationshipTargets(ctx, keys) as never,
      resolve: (entry) => {
        const id = collectionIdOf(entry);
        return id ? relationshipTargetKey(entry.businessId, 'COLLECTION', id) : null;
      },
    }),
    locale: t.exposeString('locale', { description: 'The locale it was written in.' }),
    blocks: t.expose('blocks', { type: [BlockObject], description: 'Its values.' }),
    statuses: t.expose('statuses', {
      type: [ContentStatusEntry],
      description: 'History of its status; the last entry is current.',
    }),
    status: t.field({
      ...pureField,
      type: ContentStatusEnum,
      description: 'Current status.',
      resolve: (entry) => entry.statuses.at(-1)?.status ?? 'DRAFT',
    }),
    publishAt: t.expose('publishAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it will be published; for staff.',
    }),
    unpublishAt: t.expose('unpublishAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it will be a draft again; for staff.',
    }),
    blockLocales: t.field({
      ...pureField,
      type: [BlockLocaleType],
      nullable: true,
      description: 'Only when it was asked for in some locales: which one each of its localised texts is in.',
      resolve: (entry) => (entry as LocalisedEntry).blockLocales ?? null,
    }),
    redirect: t.field({
      ...pureField,
      type: RedirectType,
      nullable: true,
      description: 'Only when it was asked for by a slug that it had: the one it has now.',
      resolve: (entry) => (entry as EntryWithRedirect).redirect ?? null,
    }),
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it back to guard an update.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const EntryConnection = createConnectionType('Entry', EntryType);

/** What changes of an entry answer. */

export const EntryPayload = createPayloadType('EntryPayload', 'entry', EntryType);
