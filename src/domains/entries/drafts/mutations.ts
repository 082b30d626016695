/** GraphQL mutations of entry drafts and preview links, and the query `entryPreview`. */
import { existingBusinessScope, permissionOnRecordScope } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import { selfValidatingField, validatedField } from '../../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../../shared/media-and-status-graphql-types.ts';
import {
  createEntryPreviewSchema,
  discardEntryDraftSchema,
  publishEntryDraftSchema,
  saveEntryDraftSchema,
} from '../schemas.ts';
import { EntryPayload } from '../types.ts';
import { createEntryPreview, findEntryPreview } from './preview-links.ts';
import { discardEntryDraft, publishEntryDraft } from './publish-or-discard-draft.ts';
import { saveEntryDraft, type UnvalidatedSaveEntryDraftArgs } from './save-draft.ts';
import {
  EntryDraftGraphqlType,
  EntryDraftInput,
  EntryPreviewGraphqlType,
  EntryPreviewLinkGraphqlType,
} from './types.ts';

const DraftPayload = createPayloadType('EntryDraftPayload', 'draft', EntryDraftGraphqlType);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  const id = t.arg.id({ required: true, description: 'Id of the entry, or slug if only one entry has it.' });
  const draftVersion = t.arg.int({
    description:
      'Fail with PRECONDITION_FAILED unless this is the current version of the draft; 0 expects that there is no draft.',
  });
  const authScopes = permissionOnRecordScope('CONTENT_WRITE', 'Entry');
  return {
    saveEntryDraft: t.field({
      type: DraftPayload,
      description:
        'Creates or updates the draft of an entry. A new draft starts with the content of the entry, which stays public until the draft is published. Needs CONTENT_WRITE.',
      authScopes,
      args: { businessId, id, version: draftVersion, ...inputArg(EntryDraftInput, 'The changes.') },
      ...selfValidatingField(
        saveEntryDraftSchema,
        async (request: UnvalidatedSaveEntryDraftArgs, accept, ctx) => ({
          draft: await saveEntryDraft(ctx, request, accept),
        }),
      ),
    }),
    publishEntryDraft: t.field({
      type: EntryPayload,
      description:
        'Replaces the content of the entry by its draft and sets the status PUBLISHED. The draft must match the current schema of the collection. Needs CONTENT_WRITE.',
      authScopes,
      args: fieldArgs({
        businessId,
        id,
        version: ['Int', 'Fail with PRECONDITION_FAILED unless this is the current version of the entry.'],
        draftVersion,
      }),
      ...validatedField(publishEntryDraftSchema, asPayload('entry', publishEntryDraft)),
    }),
    discardEntryDraft: t.field({
      type: DeletedPayload,
      description: 'Deletes the draft of an entry; the entry does not change. Needs CONTENT_WRITE.',
      authScopes,
      args: { businessId, id, version: draftVersion },
      ...validatedField(discardEntryDraftSchema, discardEntryDraft),
    }),
    createEntryPreview: t.field({
      type: EntryPreviewLinkGraphqlType,
      description:
        'Creates a link with which any client can read the entry with its draft. Needs CONTENT_WRITE.',
      authScopes,
      args: fieldArgs({
        businessId,
        id,
        expiresIn: ['Int', 'Lifetime of the link in seconds, 60 to 604800 (a week). Default: 3600.'],
      }),
      ...validatedField(createEntryPreviewSchema, createEntryPreview),
    }),
  };
});

builder.queryField('entryPreview', (t) =>
  t.field({
    type: EntryPreviewGraphqlType,
    nullable: true,
    description:
      'Entry with its draft, for any client with a preview token; null when the token is invalid or has expired. Needs no account.',
    authScopes: existingBusinessScope,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      token: ['String!', 'Token from `createEntryPreview`.'],
    }),
    resolve: (_root, args, ctx) => findEntryPreview(ctx, args),
  }),
);
