/** Imports lines in transactions in which the records change and the lines are counted: none is done twice. */
import type { Context } from '../../../context.ts';
import { dbErrorToAppError } from '../../../db/errors.ts';
import type { Db, Queries } from '../../../db/handles.ts';
import { AppError, internalError, validationError } from '../../../errors.ts';
import { RecordCache } from '../../../lib/cache/record-cache.ts';
import { decodeLine, parseLine } from '../files/record-lines.ts';
import type { RawRecord } from '../files/split-records.ts';
import {
  advanceImport,
  type ImportStep,
  OperationSuperseded,
  storeLineError,
} from '../lifecycle/progress.ts';
import type { StoredBulkOperation } from '../model.ts';
import type { ResourceHandler } from '../resources/resource-handler.ts';

export interface ImportSource {
  resource: ResourceHandler;
  header: readonly string[] | undefined;
  /** Where the operation stands before these lines. */
  startPosition: number;
}

/** Whoever waits for us longer than this would have us both wait for each other: we give way, and go one by one. */
const lockTimeout = `set local lock_timeout = '100ms'`;

/** All lines in one transaction; if one of them is refused, each in its own. Whether none was. */
export async function importBatch(
  ctx: Context,
  operation: StoredBulkOperation,
  reading: ImportSource,
  records: readonly RawRecord[],
): Promise<boolean> {
  const [{ id }, last] = [operation, records.at(-1)];
  if (records.length > 1 && last) {
    try {
      await ctx.db.transaction(async (tx) => {
        await tx.sql(lockTimeout);
        const step = {
          id,
          fromPosition: reading.startPosition,
          position: last.endPosition,
          line: last.lastLine,
        };
        await advanceImport(tx, step, { done: records.length });
        const inside = { ...ctx, db: within(ctx.db, tx) };
        for (const record of records) await apply(inside, inside, operation, reading, record);
      });
      return true;
    } catch (error) {
      if (error instanceof OperationSuperseded) throw error;
    }
  }
  let { startPosition: from } = reading;
  let isClean = records.length === 1;
  for (const record of records) {
    const step = { id, fromPosition: from, position: record.endPosition, line: record.lastLine };
    isClean = (await importLine(ctx, operation, step, record, reading)) && isClean;
    from = record.endPosition;
  }
  return isClean;
}

/** Everything that is read is read inside, too; what may yet be undone is not kept. */
const within = (db: Db, tx: Queries): Db => ({
  ...db,
  prisma: tx.prisma as Db['prisma'],
  sql: tx.sql,
  shortRead: tx.sql,
  transaction: tx.transaction,
  recordCache: new RecordCache(1),
});

function apply(
  ctx: Context,
  reading: Context,
  { businessId, collectionId }: StoredBulkOperation,
  { resource, header }: ImportSource,
  { bytes }: RawRecord,
): Promise<unknown> {
  if (!bytes)
    throw validationError({
      field: '',
      error: 'TOO_LONG',
      message: 'The line is longer than a record may be.',
    });
  const fields = parseLine(decodeLine(bytes), resource.columns, header);
  const request = { ...ctx.request, inOneTransaction: true };
  const target = { businessId, collectionId: collectionId ?? undefined };
  return resource.apply({ ctx: { ...ctx, request }, readCtx: reading, fields }, target);
}

/** False: it was refused. */
async function importLine(
  ctx: Context,
  operation: StoredBulkOperation,
  step: ImportStep,
  record: RawRecord,
  reading: ImportSource,
): Promise<boolean> {
  let isCounted = false;
  const transaction: Context['db']['transaction'] = async (run) => {
    const isFirst = !isCounted;
    const result = await ctx.db.transaction(async (tx) => {
      if (isFirst) await advanceImport(tx, step, { done: 1 });
      return run(tx);
    });
    isCounted = true;
    return result;
  };
  try {
    await apply({ ...ctx, db: { ...ctx.db, transaction } }, ctx, operation, reading, record);
    if (!isCounted) await advanceImport(ctx.db, step, { done: 1 });
  } catch (error) {
    const { firstLine: line } = record;
    if (!isCounted) {
      await refuseLine(ctx, step, line, error);
      return false;
    }
    ctx.log.warn({ err: error, line }, 'a line was imported, and what follows from it failed');
  }
  return true;
}

const isDue = (code: AppError['code']) => ['UNAVAILABLE', 'TIMEOUT', 'RATE_LIMITED'].includes(code);

/** The line is counted with what the API would have said. What may work later is tried again later, with everything after it. */
async function refuseLine(ctx: Context, step: ImportStep, line: number, error: unknown): Promise<void> {
  if (error instanceof OperationSuperseded) throw error;
  const known = error instanceof AppError ? error : dbErrorToAppError(error);
  if (known && isDue(known.code)) throw error;
  if (!known) ctx.log.error({ err: error, operation: step.id, line }, 'a line could not be imported');
  const { code, message, details } = known ?? internalError();
  await ctx.db.transaction(async (tx) => {
    await advanceImport(tx, step, { failed: 1 });
    await storeLineError(tx, step.id, { line, code, message, details: details.slice(0, 20) });
  });
}
