/** Imports lines. Each transaction changes the records and advances the progress, so that no line is imported twice. */
import type { Context } from '../../../context.ts';
import { type Db, dbErrorToAppError, type QueryHandle } from '../../../db/index.ts';
import { AppError, internalError, validationError } from '../../../errors.ts';
import { createEventLoopShareQueue } from '../../../lib/async/event-loop-share-queue.ts';
import { RecordCache } from '../../../lib/cache/record-cache.ts';
import { decodeImportLine, parseImportLine } from '../files/import-and-export-lines.ts';
import type { RawImportRecord } from '../files/split-records.ts';
import {
  BulkOperationSupersededError,
  type ImportStep,
  recordImportProgress,
  storeBulkLineError,
} from '../lifecycle/progress.ts';
import type { StoredBulkOperation } from '../model.ts';
import type { BulkResourceHandler } from '../resources/resource-handler.ts';

interface ImportBatchContext {
  resource: BulkResourceHandler;
  header: readonly string[] | undefined;
  /** Byte position of the operation before these lines. */
  startPosition: number;
}

/** A longer wait may be a deadlock with another writer: the batch is rolled back and its lines are imported one by one. */
const lockTimeout = `set local lock_timeout = '100ms'`;

/** Imports all lines in one transaction; if one of them fails, each in its own. Returns whether all lines succeeded together. */
export async function importRecordBatch(
  ctx: Context,
  operation: StoredBulkOperation,
  source: ImportBatchContext,
  records: readonly RawImportRecord[],
): Promise<boolean> {
  const [{ id }, last] = [operation, records.at(-1)];
  if (records.length > 1 && last) {
    try {
      await ctx.db.transaction(async (tx) => {
        await tx.sql(lockTimeout);
        const step = {
          id,
          fromPosition: source.startPosition,
          position: last.endPosition,
          line: last.lastLine,
        };
        await recordImportProgress(tx, step, { done: records.length });
        const txCtx = { ...ctx, db: dbWithin(ctx.db, tx) };
        for (const record of records) await applyLine(txCtx, txCtx, operation, source, record);
      });
      return true;
    } catch (error) {
      if (error instanceof BulkOperationSupersededError) throw error;
    }
  }
  let fromPosition = source.startPosition;
  let isClean = records.length === 1;
  for (const record of records) {
    const step = { id, fromPosition, position: record.endPosition, line: record.lastLine };
    isClean = (await importLine(ctx, operation, step, record, source)) && isClean;
    fromPosition = record.endPosition;
  }
  return isClean;
}

/** Database handle whose reads run in the transaction too. Its own record cache keeps uncommitted rows out of the shared one. */
const dbWithin = (db: Db, tx: QueryHandle): Db => ({
  ...db,
  prisma: tx.prisma as Db['prisma'],
  sql: tx.sql,
  write: tx.write,
  shortRead: tx.sql,
  transaction: tx.transaction,
  recordCache: new RecordCache(1),
});

/** Validating a long line takes as long as many requests: the lines of all imports get at most a quarter of the event loop's time. */
const lineTurns = createEventLoopShareQueue({ share: 1 / 4 });

async function applyLine(
  ctx: Context,
  readCtx: Context,
  { businessId, collectionId }: StoredBulkOperation,
  { resource, header }: ImportBatchContext,
  { bytes }: RawImportRecord,
): Promise<unknown> {
  if (!bytes) throw validationError('', 'TOO_LONG', 'The line exceeds the maximum length of a record.');
  return lineTurns(businessId, () => {
    const fields = parseImportLine(decodeImportLine(bytes), resource.columns, header);
    const request = { ...ctx.request, requiresTransaction: true };
    const target = { businessId, collectionId: collectionId ?? undefined };
    return resource.apply({ ctx: { ...ctx, request }, readCtx, fields }, target);
  });
}

/** Returns false when the line was rejected. */
async function importLine(
  ctx: Context,
  operation: StoredBulkOperation,
  step: ImportStep,
  record: RawImportRecord,
  source: ImportBatchContext,
): Promise<boolean> {
  let isCounted = false;
  const transaction: Context['db']['transaction'] = async (run) => {
    const isFirst = !isCounted;
    const result = await ctx.db.transaction(async (tx) => {
      if (isFirst) await recordImportProgress(tx, step, { done: 1 });
      return run(tx);
    });
    isCounted = true;
    return result;
  };
  try {
    await applyLine({ ...ctx, db: { ...ctx.db, transaction } }, ctx, operation, source, record);
    if (!isCounted) await recordImportProgress(ctx.db, step, { done: 1 });
  } catch (error) {
    const { firstLine: line } = record;
    if (!isCounted) {
      await rejectLine(ctx, step, line, error);
      return false;
    }
    ctx.log.warn({ err: error, line }, 'bulk import: line imported, but a follow-up action failed');
  }
  return true;
}

const isRetryable = (code: AppError['code']) => ['UNAVAILABLE', 'TIMEOUT', 'RATE_LIMITED'].includes(code);

/** Counts the line as failed and stores the API error. Retryable errors are rethrown: the job retries this line and the following ones later. */
async function rejectLine(ctx: Context, step: ImportStep, line: number, error: unknown): Promise<void> {
  if (error instanceof BulkOperationSupersededError) throw error;
  const appError = error instanceof AppError ? error : dbErrorToAppError(error);
  if (appError && isRetryable(appError.code)) throw error;
  if (!appError)
    ctx.log.error(
      { err: error, operationId: step.id, line },
      'bulk import: line failed with an unexpected error',
    );
  const { code, message, details } = appError ?? internalError();
  await ctx.db.transaction(async (tx) => {
    await recordImportProgress(tx, step, { failed: 1 });
    await storeBulkLineError(tx, step.id, { line, code, message, details: details.slice(0, 20) });
  });
}
