/** Model of imports and exports: stored rows and their API form. */
import type { ErrorCode, ErrorDetail } from '../../errors.ts';
import type { BulkOperation as StoredOperation } from '../../generated/prisma/client.ts';

export const bulkKinds = ['IMPORT', 'EXPORT'] as const;
export type BulkKind = (typeof bulkKinds)[number];

export const bulkFormats = ['JSONL', 'CSV'] as const;
export type BulkFormat = (typeof bulkFormats)[number];

export const bulkStates = ['UPLOADING', 'QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type BulkState = (typeof bulkStates)[number];

/** States in which a job processes the operation. */
export const activeBulkStates: readonly BulkState[] = ['QUEUED', 'RUNNING'];
/** States that are final. */
export const finalBulkStates: readonly BulkState[] = ['COMPLETED', 'FAILED', 'CANCELLED'];

export const bulkMediaTypes: Readonly<Record<BulkFormat, string>> = {
  JSONL: 'application/x-ndjson',
  CSV: 'text/csv',
};

export const bulkResources = ['PRODUCTS', 'ENTRIES', 'SUBSCRIBERS', 'ORDERS', 'CATEGORIES'] as const;
export type BulkResource = (typeof bulkResources)[number];

/** Stored part of an export file. The parts in order make up the file. */
export interface ExportPart {
  key: string;
  size: number;
}

export interface StoredBulkOperation
  extends Omit<StoredOperation, 'kind' | 'resource' | 'format' | 'state' | 'parts' | 'createdAt'> {
  kind: BulkKind;
  resource: BulkResource;
  format: BulkFormat;
  state: BulkState;
  parts: ExportPart[];
  createdAt: number;
}

/** Narrows the column types. Safe because only this domain writes the table. */
export const toStoredBulkOperation = (row: StoredOperation): StoredBulkOperation => ({
  ...(row as unknown as StoredBulkOperation),
  createdAt: Number(row.createdAt),
});

/** Upload form for the file of an import. */
export interface BulkUpload {
  uploadUrl: string;
  fields: { name: string; value: string }[];
  expiresAt: number;
}

export interface BulkOperation {
  id: string;
  businessId: string;
  kind: BulkKind;
  resource: BulkResource;
  format: BulkFormat;
  state: BulkState;
  collectionId?: string | undefined;
  userId: string;
  done: number;
  failed: number;
  total?: number | undefined;
  progress: number;
  reason?: string | undefined;
  upload?: BulkUpload | undefined;
  resultUrl?: string | undefined;
  createdAt: number;
  updatedAt: number;
  finishedAt?: number | undefined;
}

export interface BulkLineError {
  id: string;
  line: number;
  code: ErrorCode;
  message: string;
  details: ErrorDetail[];
}
