/** GraphQL types of imports and exports. */
import type { ErrorDetail } from '../../errors.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { ErrorCodeEnum, ErrorDetailCodeEnum } from '../../graphql/schema/error-enums-and-result-unions.ts';
import { type OutputField, outputFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { UploadFieldGraphqlType } from '../media/types.ts';
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
  description: 'Direction of an operation.',
  values: describedEnumValues<(typeof bulkKinds)[number]>({
    IMPORT: 'From a file into the business.',
    EXPORT: 'From the business into a file.',
  }),
});
export const BulkResourceEnum = builder.enumType('BulkResource', {
  description: 'Type of the records.',
  values: describedEnumValues<(typeof bulkResources)[number]>({
    PRODUCTS: 'Products with their variants. Needs PRODUCTS_WRITE.',
    ENTRIES: 'Entries of a collection. Needs CONTENT_WRITE.',
    SUBSCRIBERS: 'Subscribers of a newsletter. An import needs NEWSLETTER_SEND, an export SUBSCRIBERS_READ.',
    CATEGORIES: 'Categories in tree order. Needs PRODUCTS_WRITE.',
    ORDERS:
      'Orders. An import creates orders that were placed in another system, each once, and needs ORDERS_WRITE; an export needs ORDERS_READ.',
  }),
});
export const BulkFormatEnum = builder.enumType('BulkFormat', {
  description: 'File format.',
  values: describedEnumValues<(typeof bulkFormats)[number]>({
    JSONL: 'One JSON object per line.',
    CSV: 'RFC 4180, with the column names in the first line.',
  }),
});
export const BulkStateEnum = builder.enumType('BulkState', {
  description: 'State of an operation: UPLOADING, QUEUED, RUNNING, then COMPLETED, FAILED or CANCELLED.',
  values: describedEnumValues<(typeof bulkStates)[number]>({
    UPLOADING: 'Waiting for the upload of the file.',
    QUEUED: 'Waiting to be processed.',
    RUNNING: 'Lines are being imported or exported.',
    COMPLETED: 'Finished. Individual lines may have been rejected, see `failed`.',
    FAILED: 'Stopped by an error, see `reason`. Records that were imported before it stay.',
    CANCELLED: 'Cancelled by a user. Records that were imported before it stay.',
  }),
});

const BulkUploadGraphqlType = builder.objectRef<BulkUpload>('BulkUpload').implement({
  description:
    'Upload form for the file of an import, valid for one use within an hour. Send it as multipart/form-data: the fields first, then the file as `file`.',
  fields: outputFields((t) => ({
    uploadUrl: ['String!', 'URL to POST the form to.'],
    fields: t.expose('fields', {
      type: [UploadFieldGraphqlType],
      description: 'Form fields to send before the file.',
    }),
    expiresAt: ['Timestamp!', 'Expiry time of the form.'],
  })),
});

export const BulkOperationGraphqlType = builder.objectRef<BulkOperation>('BulkOperation').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface],
  description:
    'Import or export that runs in the background. Deleted with its files after 7 days (configurable).',
  fields: outputFields(
    (t) =>
      ({
        id: ['ID!', 'Id of the operation.'],
        businessId: ['ID!', 'The business.'],
        kind: t.expose('kind', { type: BulkKindEnum, description: 'IMPORT or EXPORT.' }),
        resource: t.expose('resource', { type: BulkResourceEnum, description: 'Type of the records.' }),
        format: t.expose('format', { type: BulkFormatEnum, description: 'File format.' }),
        state: t.expose('state', { type: BulkStateEnum, description: 'Current state.' }),
        collectionId: ['ID', 'Collection of the records; null when none was specified.'],
        userId: ['ID!', 'User who started the operation.'],
        done: ['Int!', 'Number of imported lines or exported records.'],
        failed: ['Int!', 'Number of rejected lines. `bulkErrors` lists the first 1,000.'],
        total: ['Int', 'Total number of lines or records; null while unknown.'],
        progress: ['Int!', 'Percentage from 0 to 100.'],
        reason: ['String', 'Reason of the state FAILED; null otherwise.'],
        upload: [BulkUploadGraphqlType, 'Form to upload the file with; null unless the state is UPLOADING.'],
        resultUrl: [
          'String',
          'Signed URL of the file of a completed export, valid for 15 minutes. Query again for a new one; null otherwise.',
        ],
        createdAt: ['Timestamp!', 'Time of the request.'],
        updatedAt: ['Timestamp!', 'Time of the last progress.'],
        finishedAt: ['Timestamp', 'Time at which the operation ended; null before.'],
      }) satisfies Record<keyof BulkOperation, OutputField>,
  ),
});

const BulkErrorDetailGraphqlType = builder.objectRef<ErrorDetail>('BulkErrorDetail').implement({
  description: 'Error detail of a line.',
  fields: outputFields((t) => ({
    field: ['String!', 'Field name; empty when the error concerns the whole line.'],
    error: t.expose('error', { type: ErrorDetailCodeEnum, description: 'Stable, machine-readable code.' }),
    message: ['String!', 'Human-readable explanation.'],
  })),
});

const BulkErrorGraphqlType = builder.objectRef<BulkLineError>('BulkError').implement({
  description: 'Error of a rejected line: the same error that the API returns for this record.',
  fields: outputFields(
    (t) =>
      ({
        id: ['ID!', 'Id of the error.'],
        line: ['Int!', 'Line number in the file, counted from 1.'],
        code: t.expose('code', { type: ErrorCodeEnum, description: 'Error code, as in API errors.' }),
        message: ['String!', 'Human-readable explanation.'],
        details: t.expose('details', {
          type: [BulkErrorDetailGraphqlType],
          description: 'Errors of the individual fields, at most 20.',
        }),
      }) satisfies Record<keyof BulkLineError, OutputField>,
  ),
});

export const BulkOperationConnection = createConnectionType('BulkOperation', BulkOperationGraphqlType);
export const BulkErrorConnection = createConnectionType('BulkError', BulkErrorGraphqlType);
