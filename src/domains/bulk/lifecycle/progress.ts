/**
 * Progress of operations, written in the transaction of the work. Each update requires the position of the previous one (optimistic
 * locking): when another process has advanced the operation, or a user has cancelled it, the update throws `BulkOperationSupersededError`.
 */
import type { QueryHandle } from '../../../db/index.ts';
import { newId } from '../../../lib/ids.ts';
import { truncateText } from '../../../lib/text/escape-text.ts';
import { now } from '../../../lib/time.ts';
import type { BulkLineError, ExportPart } from '../model.ts';

export class BulkOperationSupersededError extends Error {
  override readonly name = 'BulkOperationSupersededError';
}

/** Stored errors per import; further ones are only counted. */
const maxStoredBulkLineErrors = 1000;

export const activeBulkOperationConditionSql = `state in ('QUEUED', 'RUNNING')`;

const advanceStatement = `update bulk_operations
  set position = $3, line = $4, done = done + $5, failed = failed + $6, state = 'RUNNING', updated_at = $7
  where id = $1 and position = $2 and ${activeBulkOperationConditionSql} returning 1`;

export interface ImportStep {
  id: string;
  /** Byte position before the step; `position` and `line` are those after it. */
  fromPosition: number;
  position: number;
  line: number;
}

export async function recordImportProgress(
  tx: QueryHandle,
  { id, fromPosition, position, line }: ImportStep,
  { done = 0, failed = 0 }: { done?: number; failed?: number },
): Promise<void> {
  const updated = await tx.write(advanceStatement, [id, fromPosition, position, line, done, failed, now()]);
  if (updated.length === 0) throw new BulkOperationSupersededError();
}

const maxStoredTextLength = 500;

/** Errors quote names from the file: PostgreSQL rejects NUL and unpaired surrogates, and a thousand long names would fill it. */
const toStorableText = (text: string) =>
  truncateText(text, maxStoredTextLength).replaceAll('\0', '\uFFFD').toWellFormed();

const toStorableDetail = ({ field, error, message }: BulkLineError['details'][number]) => ({
  field: toStorableText(field),
  error,
  message: toStorableText(message),
});

export async function storeBulkLineError(
  tx: QueryHandle,
  id: string,
  { line, code, message, details }: Omit<BulkLineError, 'id'>,
): Promise<void> {
  await tx.write(
    `insert into bulk_errors (id, operation_id, line, code, message, details)
     select $1, $2, $3, $4, $5, $6::jsonb from bulk_operations where id = $2 and failed <= ${maxStoredBulkLineErrors}`,
    [newId(), id, line, code, toStorableText(message), JSON.stringify(details.map(toStorableDetail))],
  );
}

const appendStatement = `update bulk_operations
  set parts = parts || $3::jsonb, cursor = $4, done = done + $5, total = $6, state = 'RUNNING', updated_at = $7
  where id = $1 and jsonb_array_length(parts) = $2 and ${activeBulkOperationConditionSql} returning 1`;

export async function recordExportPart(
  tx: QueryHandle,
  id: string,
  {
    parts,
    part,
    cursor,
    done,
    total,
  }: { parts: number; part: ExportPart; cursor: string | null; done: number; total: number },
): Promise<void> {
  const updated = await tx.write(appendStatement, [
    id,
    parts,
    JSON.stringify([part]),
    cursor,
    done,
    total,
    now(),
  ]);
  if (updated.length === 0) throw new BulkOperationSupersededError();
}

/** Returns false when the operation is already in a final state. */
export async function finishBulkOperation(
  tx: QueryHandle,
  id: string,
  state: 'COMPLETED' | 'FAILED',
  reason: string | undefined,
): Promise<boolean> {
  const updated = await tx.write(
    `update bulk_operations set state = $2, reason = $3, total = done + failed, updated_at = $4, finished_at = $4
     where id = $1 and ${activeBulkOperationConditionSql} returning 1`,
    [id, state, reason ?? null, now()],
  );
  return updated.length > 0;
}
