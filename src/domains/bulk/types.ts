/** GraphQL types of imports and exports. */
import type { ErrorDetail } from '../../errors.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { ErrorCodeEnum, ErrorDetailCodeEnum } from '../../graphql/schema/error-unions.ts';
import { NodeInterface, Timestamped } from '../../graphql/schema/interfaces.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import { UploadField } from '../media/types.ts';
import type {
  BulkLineError,
  BulkOperation,
  BulkUpload,
  bulkFormats,
  bulkKinds,
  bulkResources,
  bulkStates,
} from './model.ts';

export const BulkKindEnum = builder.enumType('BulkKind', {
  description: 'Which way records go.',
  values: enumValues<(typeof bulkKinds)[number]>({
    IMPORT: 'From a file into the business.',
    EXPORT: 'From the business into a file.',
  }),
});
export const BulkResourceEnum = builder.enumType('BulkResource', {
  description: 'What can be imported or exported.',
  values: enumValues<(typeof bulkResources)[number]>({
    PRODUCTS: 'Products with their variants. Needs PRODUCTS_WRITE.',
    ENTRIES: 'Entries of a collection. Needs CONTENT_WRITE.',
    SUBSCRIBERS: 'Subscribers of a newsletter. An import needs NEWSLETTER_SEND, an export SUBSCRIBERS_READ.',
    ORDERS:
      'Orders; those that were placed elsewhere are imported once each. Needs ORDERS_WRITE, an export ORDERS_READ.',
  }),
});
export const BulkFormatEnum = builder.enumType('BulkFormat', {
  description: 'How the lines of a file are written.',
  values: enumValues<(typeof bulkFormats)[number]>({
    JSONL: 'A JSON object in each line.',
    CSV: 'As RFC 4180 has it, with the names of columns in the first line.',
  }),
});
export const BulkStateEnum = builder.enumType('BulkState', {
  description:
    'UPLOADING until the file has come, QUEUED until it begins, RUNNING, then COMPLETED, FAILED as a whole, or CANCELLED.',
  values: enumValues<(typeof bulkStates)[number]>({
    UPLOADING: 'Its file is waited for.',
    QUEUED: 'It waits for its turn.',
    RUNNING: 'Lines are read or written.',
    COMPLETED: 'It is over; lines may have been refused, see `failed`.',
    FAILED: 'It was given up as a whole, see `reason`; lines that were imported stay.',
    CANCELLED: 'Somebody stopped it; lines that were imported stay.',
  }),
});

const BulkUploadType = builder.objectRef<BulkUpload>('BulkUpload').implement({
  description:
    'A form for the file of an import, good for one use within an hour: sent as multipart/form-data, its fields first, then the file as `file`.',
  fields: (t) => ({
    uploadUrl: t.exposeString('uploadUrl', { description: 'Where to send the form.' }),
    fields: t.expose('fields', { type: [UploadField], description: 'What to send before the file.' }),
    expiresAt: t.expose('expiresAt', { type: 'Timestamp', description: 'Until when it is taken.' }),
  }),
});

export const BulkOperationType = builder.objectRef<BulkOperation>('BulkOperation').implement({
  interfaces: [NodeInterface, Timestamped],
  description: 'An import or export, which runs in the background. Kept for 7 days, with its files.',
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the operation.' }),
      businessId: t.exposeID('businessId', { description: 'The business.' }),
      kind: t.expose('kind', { type: BulkKindEnum, description: 'Which way records go.' }),
      resource: t.expose('resource', { type: BulkResourceEnum, description: 'What the records are.' }),
      format: t.expose('format', { type: BulkFormatEnum, description: 'How lines are written.' }),
      state: t.expose('state', { type: BulkStateEnum, description: 'How far it is.' }),
      collectionId: t.exposeID('collectionId', {
        nullable: true,
        description: 'The collection that was named.',
      }),
      userId: t.exposeID('userId', { description: 'Who asked for it.' }),
      done: t.exposeInt('done', { description: 'Lines that were imported, or records that were exported.' }),
      failed: t.exposeInt('failed', { description: 'Lines that were refused; the first 1,000 say why.' }),
      total: t.exposeInt('total', { nullable: true, description: 'How many there are, once that is known.' }),
      progress: t.exposeInt('progress', { description: 'In per cent.' }),
      reason: t.exposeString('reason', { nullable: true, description: 'Why it failed as a whole.' }),
      upload: t.expose('upload', {
        type: BulkUploadType,
        nullable: true,
        description: 'How to send the file, while it is waited for.',
      }),
      resultUrl: t.exposeString('resultUrl', {
        nullable: true,
        description: 'Where the file of a finished export is, for 15 minutes; ask again for a new address.',
      }),
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was asked for.' }),
      updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it last went on.' }),
      finishedAt: t.expose('finishedAt', {
        type: 'Timestamp',
        nullable: true,
        description: 'When it ended.',
      }),
    }) satisfies Record<keyof BulkOperation, unknown>,
});

const BulkErrorDetailType = builder.objectRef<ErrorDetail>('BulkErrorDetail').implement({
  description: 'One fault of a line.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The field; empty for the line itself.' }),
    error: t.expose('error', { type: ErrorDetailCodeEnum, description: 'A stable code to branch on.' }),
    message: t.exposeString('message', { description: 'A sentence for people.' }),
  }),
});

export const BulkErrorType = builder.objectRef<BulkLineError>('BulkError').implement({
  description: 'Why a line was not imported: what the API would have said.',
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the error.' }),
      line: t.exposeInt('line', { description: 'Number of the line in the file, from 1.' }),
      code: t.expose('code', { type: ErrorCodeEnum, description: 'What kind of failure it is.' }),
      message: t.exposeString('message', { description: 'A sentence for people.' }),
      details: t.expose('details', { type: [BulkErrorDetailType], description: 'Its faults, at most 20.' }),
    }) satisfies Record<keyof BulkLineError, unknown>,
});

export const BulkOperationConnection = createConnectionType('BulkOperation', BulkOperationType);
export const BulkErrorConnection = createConnectionType('BulkError', BulkErrorType);
