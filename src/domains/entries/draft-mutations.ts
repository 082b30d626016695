/** Mutations of drafts beside entries, and of links to see them. */
import { builder } from '../../graphql/builder.ts';
import { checked, checkedWithFound } from '../../graphql/checked.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { anybody, onRecord } from '../../graphql/scopes.ts';
import { DeletedPayload } from '../shared/types.ts';
import { createPreviewCheck, discardDraftCheck, publishDraftCheck, saveDraftCheck } from './checks.ts';
import { DraftType, EntryDraftInput, PreviewLinkType, PreviewType } from './draft-types.ts';
import { discardDraft, publishDraft } from './end-draft.ts';
import { EntryPayload } from './payloads.ts';
import { createPreview, findPreview } from './previews.ts';
import { type SentDraft, saveDraft } from './save-draft.ts';

const DraftPayload = payloadOf('EntryDraftPayload', 'draft', DraftType);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the entry, or slug when only one has it.' });
  const draftVersion = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the version of the draft; 0: there is none.',
  });
  const authScopes = onRecord('CONTENT_WRITE', 'Entry');
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
      ...checkedWithFound(saveDraftCheck, async (sent: SentDraft, accept, ctx) => ({
        draft: await saveDraft(ctx, sent, accept),
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
      ...checked(publishDraftCheck, async (args, ctx) => ({ entry: await publishDraft(ctx, args) })),
    }),
    discardEntryDraft: t.field({
      type: DeletedPayload,
      description: 'Throws the draft of an entry away; the entry stays as it is. Needs CONTENT_WRITE.',
      authScopes,
      args: { businessId, id, version: draftVersion },
      ...checked(discardDraftCheck, (args, ctx) => discardDraft(ctx, args)),
    }),
    createEntryPreview: t.field({
      type: PreviewLinkType,
      description: 'Makes a link with which anybody reads the entry as it is prepared. Needs CONTENT_WRITE.',
      authScopes,
      args: {
        businessId,
        id,
        expiresIn: t.arg.int({ description: 'Seconds, from a minute to a week; an hour by default.' }),
      },
      ...checked(createPreviewCheck, (args, ctx) => createPreview(ctx, args)),
    }),
  };
});

builder.queryField('entryPreview', (t) =>
  t.field({
    type: PreviewType,
    nullable: true,
    description:
      'An entry as it is prepared, for whoever has a link to it; null when the token is wrong or has ended. Needs no account.',
    authScopes: anybody,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      token: t.arg.string({ required: true, description: 'From `createEntryPreview`.' }),
    },
    resolve: (_root, args, ctx) => findPreview(ctx, args),
  }),
);
