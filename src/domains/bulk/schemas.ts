/** Zod schemas of imports and exports. */
import { z } from 'zod';
import { buildTextSchema, optionalInput, pageArgSchemas } from '../../lib/validation/input.ts';
import { bulkFormats, bulkKinds, bulkResources, bulkStates } from './model.ts';

/** Characters. Fits into the body limit of a request; longer files are uploaded. */
const maxContentLength = 900_000;

const operationFields = {
  resource: z.enum(bulkResources),
  format: optionalInput(z.enum(bulkFormats)).transform((format) => format ?? 'JSONL'),
  collectionId: optionalInput(buildTextSchema(300)).transform((id) => id || undefined),
};

export const startImportSchema = z.object({
  businessId: z.string(),
  input: z.object({
    ...operationFields,
    content: optionalInput(
      z
        .string()
        .min(1, 'Must not be empty.')
        .max(maxContentLength, 'The content is too long for a request. Omit it and upload a file.'),
    ),
  }),
});

export const startExportSchema = z.object({ businessId: z.string(), input: z.object(operationFields) });

export const bulkOperationRefSchema = z.object({ businessId: z.string(), id: z.string() });

export const listBulkOperationsSchema = z.object({
  businessId: z.string(),
  kind: optionalInput(z.enum(bulkKinds)),
  state: optionalInput(z.enum(bulkStates)),
  ...pageArgSchemas,
});

export const listBulkErrorsSchema = z.object({ businessId: z.string(), id: z.string(), ...pageArgSchemas });

export type StartImportArgs = z.output<typeof startImportSchema>;
export type StartExportArgs = z.output<typeof startExportSchema>;
export type BulkOperationRef = z.output<typeof bulkOperationRefSchema>;
export type ListBulkOperationsArgs = z.output<typeof listBulkOperationsSchema>;
export type ListBulkErrorsArgs = z.output<typeof listBulkErrorsSchema>;
