/** Mutations of drafts beside entries, and of links to see them. */

import { existingBusiness, permissionOnRecord } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { createPayloadType } from '../../../graphql/schema/type-helpers.ts';
import { deferredValidationField, validatedField } from '../../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../../shared/types.ts';
import { createPreviewSchema, discardDraftSchema, publishDraftSchema, saveDraftSchema } from '../schemas.ts';
import { EntryPayload } from '../types.ts';
import { createEntryPreview, findEntryPreview } from './previews.ts';
import { discardEntryDraft, publishEntryDraft } from './publish-or-discard-draft.ts';
import { saveEntryDraft, type UnvalidatedDraft } from './save-draft.ts';
import { EntryDraftInput, EntryDraftType, EntryPreviewLinkType, EntryPreviewType } from './types.ts';

const DraftPayload = createPayloadType('EntryDraftPayload', 'draft', EntryDraftType);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the entry, or slug when only one has it.' });
  const draftVersion = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the version of the draft; 0: there is none.',
  });
  const authScopes = permissionOnRecord('CONTENT_WRITE', 'Entry');
  return {
    saveEntryDraft: t.field({
      type: DraftPayload,
      description:
        'Changes the fields of the draft that are given. It begins with what the entry has; guests go on seeing that. Needs CONTENT_WRITE.',
      authScopes,
      args: {
        businessId,
        id,
        version: draftVersion,
        input: t.arg({ type: EntryDraftInput, required: true, description: 'The changes.' }),
      },
      ...deferredValidationField(saveDraftSchema, async (sent: UnvalidatedDraft, accept, ctx) => ({
        draft: await saveEntryDraft(ctx, sent, accept),
      })),
    }),
    publishEntryDraft: t.field({
      type: EntryPayload,
      description:
        'Makes the draft the content of the entry, and the entry PUBLISHED, if it passes the schema of today. Needs CONTENT_WRITE.',
      authScopes,
      args: {
        businessId,
        id,
        version: t.arg.int({
          description: 'Fail with PRECONDITION_FAILED unless this is the current version of the entry.',
        }),
        draftVersion,
      },
      ...validatedField(publishDraftSchema, async (args, ctx) => ({
        entry: await publishEntryDraft(ctx, args),
      })),
    }),
    discardEntryDraft: t.field({
      type: DeletedPayload,
      description: 'Throws the draft of an entry away; the entry stays as it is. Needs CONTENT_WRITE.',
      authScopes,
      args: { businessId, id, version: draftVersion },
      ...validatedField(discardDraftSchema, (args, ctx) => discardEntryDraft(ctx, args)),
    }),
    createEntryPreview: t.field({
      type: EntryPreviewLinkType,
      description: 'Makes a link with which anybody reads the entry as it is prepared. Needs CONTENT_WRITE.',
      authScopes,
      args: {
        businessId,
        id,
        expiresIn: t.arg.int({ description: 'Seconds, from a minute to a week; an hour by default.' }),
      },
      ...validatedField(createPreviewSchema, (args, ctx) => createEntryPreview(ctx, args)),
    }),
  };
});

builder.queryField('entryPreview', (t) =>
  t.field({
    type: EntryPreviewType,
    nullable: true,
    description:
      'An entry as it is prepared, for whoever has a link to it; null when the token is wrong or has ended. Needs no account.',
    authScopes: existingBusiness,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      token: t.arg.string({ required: true, description: 'From `createEntryPreview`.' }),
    },
    resolve: (_root, args, ctx) => findEntryPreview(ctx, args),
  }),
);
