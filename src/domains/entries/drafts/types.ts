/** GraphQL types of drafts and their previews, and the way from an entry to its draft. */
import { builder } from '../../../graphql/schema/builder.ts';
import { maxLoaderBatchSize } from '../../../lib/cache/request-loader.ts';
import { BlockInput } from '../../blocks/inputs.ts';
import { BlockObject } from '../../blocks/types.ts';
import { EntryType } from '../types.ts';
import { loadEntryDrafts } from './load-drafts.ts';
import type { EntryDraftView } from './model.ts';
import type { EntryPreview, EntryPreviewLink } from './previews.ts';

export const EntryDraftType = builder.objectRef<EntryDraftView>('EntryDraft').implement({
  description: 'What staff prepare beside an entry.',
  fields: (t) => ({
    locale: t.exposeString('locale', { description: 'The locale it is written in.' }),
    blocks: t.expose('blocks', { type: [BlockObject], description: 'Its values.' }),
    basedOn: t.exposeInt('basedOn', { description: 'The version of the entry that it began with.' }),
    version: t.exposeInt('version', {
      description: 'Grows with every change of the draft; send it back to guard the next.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last saved.' }),
  }),
});

builder.objectField(EntryType, 'draft', (t) =>
  t.loadable({
    type: EntryDraftType,
    nullable: true,
    description: 'What is prepared beside it; for staff.',
    complexity: 5,
    loaderOptions: { maxBatchSize: maxLoaderBatchSize },
    load: (ids: string[], ctx) => loadEntryDrafts(ctx, ids),
    resolve: ({ id }) => id,
  }),
);

export const EntryDraftInput = builder.inputType('EntryDraftInput', {
  description: 'The fields of a draft to change. What is required may be missing until it is published.',
  fields: (t) => ({
    locale: t.string({ description: 'The locale it is written in.' }),
    blocks: t.field({ type: [BlockInput], description: 'All its values: the whole new list.' }),
  }),
});

export const EntryPreviewLinkType = builder.objectRef<EntryPreviewLink>('EntryPreviewLink').implement({
  description: 'With it anybody reads one entry as it is prepared.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'For `entryPreview`.' }),
    url: t.exposeString('url', { description: 'Where it is read in REST.' }),
    expiresAt: t.expose('expiresAt', { type: 'Timestamp', description: 'When it ends.' }),
  }),
});

export const EntryPreviewType = builder.objectRef<EntryPreview>('EntryPreview').implement({
  description: 'An entry as the public would see it if what is prepared were published.',
  fields: (t) => ({
    entry: t.expose('entry', { type: EntryType, description: 'The entry, with the content of its draft.' }),
    hasDraft: t.exposeBoolean('hasDraft', { description: 'Whether it differs from the entry by a draft.' }),
    expiresAt: t.expose('expiresAt', { type: 'Timestamp', description: 'When the link ends.' }),
  }),
});
