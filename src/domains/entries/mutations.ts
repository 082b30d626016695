/** GraphQL mutations of entries. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { selfValidatingField, validatedField } from '../../graphql/schema/validated-resolver.ts';
import { ContentStatusEnum } from '../collections/types.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { CreateEntryInput, UpdateEntryInput } from './inputs.ts';
import { scheduleEntry } from './schedule/schedule-entry.ts';
import {
  createEntrySchema,
  duplicateEntrySchema,
  restoreEntryVersionSchema,
  scheduleEntrySchema,
  setEntryStatusesSchema,
  updateEntrySchema,
} from './schemas.ts';
import { EntryPayload } from './types.ts';
import { restoreEntryVersion } from './versions/restore-version.ts';
import { createEntry, type UnvalidatedCreateEntryArgs } from './write/create-entry.ts';
import { deleteEntry } from './write/delete-entry.ts';
import { duplicateEntry } from './write/duplicate-entry.ts';
import { setEntryStatuses } from './write/set-entry-statuses.ts';
import { SetEntryStatusesPayload } from './write/set-entry-statuses-payload.ts';
import { type UnvalidatedUpdateEntryArgs, updateEntry } from './write/update-entry.ts';

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  const id = t.arg.id({ required: true, description: 'Id, or slug if only one entry has it.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createEntry: t.field({
      type: EntryPayload,
      description:
        'Creates an entry. Its blocks must match the schema of the collection. Needs CONTENT_WRITE.',
      authScopes: permissionInBusinessScope('CONTENT_WRITE'),
      args: { businessId, ...inputArg(CreateEntryInput, 'The entry.') },
      ...selfValidatingField(createEntrySchema, async (request: UnvalidatedCreateEntryArgs, accept, ctx) => ({
        entry: await createEntry(ctx, request, accept),
      })),
    }),
    updateEntry: t.field({
      type: EntryPayload,
      description: 'Updates an entry; omitted fields keep their value. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Entry'),
      args: { businessId, id, version, ...inputArg(UpdateEntryInput, 'The changes.') },
      ...selfValidatingField(updateEntrySchema, async (request: UnvalidatedUpdateEntryArgs, accept, ctx) => ({
        entry: await updateEntry(ctx, request, accept),
      })),
    }),
    scheduleEntry: t.field({
      type: EntryPayload,
      description:
        'Schedules publication of an entry and its return to DRAFT. An omitted or null time cancels that schedule. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Entry'),
      args: fieldArgs({
        businessId,
        id,
        version,
        publishAt: [
          'Timestamp',
          'When the entry becomes PUBLISHED; a time in the past takes effect immediately.',
        ],
        unpublishAt: [
          'Timestamp',
          'When the entry becomes DRAFT; a time in the past takes effect immediately.',
        ],
      }),
      ...validatedField(scheduleEntrySchema, asPayload('entry', scheduleEntry)),
    }),
    restoreEntry: t.field({
      type: EntryPayload,
      description:
        'Creates a new version with the blocks and the locale of an earlier one, which must match the current schema of the collection. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Entry'),
      args: fieldArgs({ businessId, id, version, from: ['Int!', 'Version to restore.'] }),
      ...validatedField(restoreEntryVersionSchema, asPayload('entry', restoreEntryVersion)),
    }),
    duplicateEntry: t.field({
      type: EntryPayload,
      description:
        'Creates a DRAFT copy of an entry. The slug of the copy ends in `-copy`, `-copy-2` and so on. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Entry'),
      args: { businessId, id },
      ...validatedField(duplicateEntrySchema, asPayload('entry', duplicateEntry)),
    }),
    setEntryStatuses: t.field({
      type: SetEntryStatusesPayload,
      description:
        'Sets the status of up to 100 entries in one transaction and returns a result for each id. Needs CONTENT_WRITE.',
      authScopes: permissionInBusinessScope('CONTENT_WRITE'),
      args: fieldArgs({
        businessId,
        ids: ['[ID!]!', 'Ids of up to 100 entries.'],
        status: t.arg({ type: ContentStatusEnum, required: true, description: 'New status of the entries.' }),
      }),
      ...validatedField(setEntryStatusesSchema, asPayload('results', setEntryStatuses)),
    }),
    deleteEntry: t.field({
      type: DeletedPayload,
      description:
        'Deletes an entry and stops its newsletter send, if one is in progress. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Entry'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteEntry(ctx, args),
    }),
  };
});
