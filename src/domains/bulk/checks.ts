/** What callers of imports and exports must send. */
import { z } from 'zod';
import { optional, pageFields, text } from '../../lib/input.ts';
import { bulkFormats, bulkKinds, bulkResources, bulkStates } from './model.ts';

/** What fits into a request with everything around it; longer files are uploaded. */
const maxContent = 900_000;

const what = {
  resource: z.enum(bulkResources),
  format: optional(z.enum(bulkFormats)).transform((format) => format ?? 'JSONL'),
  collectionId: optional(text(300)).transform((id) => id || undefined),
};

export const startImportCheck = z.object({
  businessId: z.string(),
  input: z.object({
    ...what,
    content: optional(
      z.string().min(1, 'Must not be empty.').max(maxContent, 'Upload files of this length.'),
    ),
  }),
});

export const startExportCheck = z.object({ businessId: z.string(), input: z.object(what) });

export const bulkAddressCheck = z.object({ businessId: z.string(), id: z.string() });

export const bulkListCheck = z.object({
  businessId: z.string(),
  kind: optional(z.enum(bulkKinds)),
  state: optional(z.enum(bulkStates)),
  ...pageFields,
});

export const bulkErrorListCheck = z.object({ businessId: z.string(), id: z.string(), ...pageFields });

export type StartImport = z.output<typeof startImportCheck>;
export type StartExport = z.output<typeof startExportCheck>;
export type BulkAddress = z.output<typeof bulkAddressCheck>;
export type BulkList = z.output<typeof bulkListCheck>;
export type BulkErrorList = z.output<typeof bulkErrorListCheck>;
