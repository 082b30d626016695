/** GraphQL types of drafts and previews, and the field `Entry.draft`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { inputFields, outputFields } from '../../../graphql/schema/field-tables.ts';
import { maxLoaderBatchSize } from '../../../lib/cache/per-request-loader.ts';
import { BlockInput } from '../../blocks/inputs.ts';
import { BlockGraphqlType } from '../../blocks/types.ts';
import { EntryGraphqlType } from '../types.ts';
import { loadEntryDrafts } from './load-drafts.ts';
import type { EntryDraftInBusiness } from './model.ts';
import type { EntryPreview, EntryPreviewLink } from './preview-links.ts';

export const EntryDraftGraphqlType = builder.objectRef<EntryDraftInBusiness>('EntryDraft').implement({
  description: 'Unpublished changes to an entry.',
  fields: outputFields((t) => ({
    locale: ['String!', 'Locale of the draft.'],
    blocks: t.expose('blocks', { type: [BlockGraphqlType], description: 'Block values of the draft.' }),
    basedOn: ['Int!', 'Version of the entry from which the draft was started.'],
    version: [
      'Int!',
      'Incremented by every change of the draft. Pass it to the next change to detect concurrent changes.',
    ],
    updatedAt: ['Timestamp!', 'When the draft was last saved.'],
  })),
});

builder.objectField(EntryGraphqlType, 'draft', (t) =>
  t.loadable({
    type: EntryDraftGraphqlType,
    nullable: true,
    description: 'Draft of the entry; null when there is none or the viewer lacks CONTENT_WRITE.',
    complexity: 5,
    loaderOptions: { maxBatchSize: maxLoaderBatchSize },
    load: (ids: string[], ctx) => loadEntryDrafts(ctx, ids),
    resolve: ({ id }) => id,
  }),
);

export const EntryDraftInput = builder.inputType('EntryDraftInput', {
  description: 'Fields of the draft to change. Required blocks may be missing until the draft is published.',
  fields: inputFields({
    locale: ['String', 'Locale of the draft.'],
    blocks: [[BlockInput], 'All block values: replaces the whole list.'],
  }),
});

export const EntryPreviewLinkGraphqlType = builder.objectRef<EntryPreviewLink>('EntryPreviewLink').implement({
  description: 'Link with which any client can read one entry with its draft.',
  fields: outputFields({
    token: ['String!', 'Token for the query `entryPreview`.'],
    url: ['String!', 'REST URL of the preview.'],
    expiresAt: ['Timestamp!', 'When the link expires.'],
  }),
});

export const EntryPreviewGraphqlType = builder.objectRef<EntryPreview>('EntryPreview').implement({
  description: 'Entry as the public would see it if its draft were published.',
  fields: outputFields((t) => ({
    entry: t.expose('entry', { type: EntryGraphqlType, description: 'Entry with the content of its draft.' }),
    hasDraft: ['Boolean!', 'Whether the entry has a draft.'],
    expiresAt: ['Timestamp!', 'When the preview link expires.'],
  })),
});
