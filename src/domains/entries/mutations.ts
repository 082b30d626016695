/** Mutations of entries. */

import { permissionInBusiness, permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { deferredValidationField, validatedField } from '../../graphql/schema/validated-resolver.ts';
import { ContentStatusEnum } from '../collections/types.ts';
import { DeletedPayload } from '../shared/types.ts';
import { CreateEntryInput, UpdateEntryInput } from './inputs.ts';
import { scheduleEntry } from './schedule/schedule-entry.ts';
import {
  createEntrySchema,
  duplicateEntrySchema,
  restoreEntrySchema,
  scheduleEntrySchema,
  setEntryStatusesSchema,
  updateEntrySchema,
} from './schemas.ts';
import { EntryPayload } from './types.ts';
import { restoreEntry } from './versions/restore-entry.ts';
import { createEntry, type UnvalidatedEntry } from './write/create-entry.ts';
import { deleteEntry } from './write/delete-entry.ts';
import { duplicateEntry } from './write/duplicate-entry.ts';
import { setEntryStatuses } from './write/set-entry-statuses.ts';
import { SetEntryStatusesPayload } from './write/set-entry-statuses-types.ts';
import { type UnvalidatedEntryUpdate, updateEntry } from './write/update-entry.ts';

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id, or slug when only one entry has it.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createEntry: t.field({
      type: EntryPayload,
      description: 'Creates an entry that follows the schema of its collection. Needs CONTENT_WRITE.',
      authScopes: permissionInBusiness('CONTENT_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: CreateEntryInput, required: true, description: 'The entry.' }),
      },
      ...deferredValidationField(createEntrySchema, async (sent: UnvalidatedEntry, accept, ctx) => ({
        entry: await createEntry(ctx, sent, accept),
      })),
    }),
    updateEntry: t.field({
      type: EntryPayload,
      description: 'Changes the fields that are given. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecord('CONTENT_WRITE', 'Entry'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: UpdateEntryInput, required: true, description: 'The changes.' }),
      },
      ...deferredValidationField(updateEntrySchema, async (sent: UnvalidatedEntryUpdate, accept, ctx) => ({
        entry: await updateEntry(ctx, sent, accept),
      })),
    }),
    scheduleEntry: t.field({
      type: EntryPayload,
      description:
        'Plans when the entry is published and when it is a draft again; what is left out or null is no longer planned. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecord('CONTENT_WRITE', 'Entry'),
      args: {
        businessId,
        id,
        version,
        publishAt: t.arg({
          type: 'Timestamp',
          description: 'When it becomes PUBLISHED; a moment that has passed is now.',
        }),
        unpublishAt: t.arg({
          type: 'Timestamp',
          description: 'When it becomes DRAFT; a moment that has passed is now.',
        }),
      },
      ...validatedField(scheduleEntrySchema, async (args, ctx) => ({
        entry: await scheduleEntry(ctx, args),
      })),
    }),
    restoreEntry: t.field({
      type: EntryPayload,
      description:
        'Makes a new version with the blocks and the locale of an old one, which must pass the schema of today. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecord('CONTENT_WRITE', 'Entry'),
      args: {
        businessId,
        id,
        version,
        from: t.arg.int({ required: true, description: 'The version whose content is taken.' }),
      },
      ...validatedField(restoreEntrySchema, async (args, ctx) => ({ entry: await restoreEntry(ctx, args) })),
    }),
    duplicateEntry: t.field({
      type: EntryPayload,
      description:
        'Makes a draft with the content of an entry; its slug ends in `-copy`, or in `-copy-2` and so on. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecord('CONTENT_WRITE', 'Entry'),
      args: { businessId, id },
      ...validatedField(duplicateEntrySchema, async (args, ctx) => ({
        entry: await duplicateEntry(ctx, args),
      })),
    }),
    setEntryStatuses: t.field({
      type: SetEntryStatusesPayload,
      description:
        'Gives many entries a status: all that are there, at once. The answer says for each what became of it. Needs CONTENT_WRITE.',
      authScopes: permissionInBusiness('CONTENT_WRITE'),
      args: {
        businessId,
        ids: t.arg.idList({ required: true, description: 'Ids of up to 100 entries.' }),
        status: t.arg({ type: ContentStatusEnum, required: true, description: 'Their new status.' }),
      },
      ...validatedField(setEntryStatusesSchema, async (args, ctx) => ({
        results: await setEntryStatuses(ctx, args),
      })),
    }),
    deleteEntry: t.field({
      type: DeletedPayload,
      description: 'Deletes an entry, and the send of it that may be under way. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecord('CONTENT_WRITE', 'Entry'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteEntry(ctx, { ...args, version: args.version ?? undefined }),
    }),
  };
});
