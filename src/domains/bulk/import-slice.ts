/** Imports some lines of a file. Each is one transaction, in which the record changes and the line is counted: none is done twice. */
import type { Context } from '../../context.ts';
import { dbErrorToAppError } from '../../db/errors.ts';
import { AppError, internal, invalid } from '../../errors.ts';
import { advance, keepError, Overtaken, type Step } from './claims.ts';
import { fieldsOf, headerOf, textOf } from './lines.ts';
import type { StoredBulk } from './model.ts';
import type { Resource, Target } from './resource.ts';
import { type RawRecord, splitRecords } from './split.ts';

export interface Sliced {
  isMore: boolean;
}

const isDue = (code: AppError['code']) => ['UNAVAILABLE', 'TIMEOUT', 'RATE_LIMITED'].includes(code);

/** Throws an AppError when the file as a whole is of no use. */
export async function importSlice(
  ctx: Context,
  operation: StoredBulk,
  resource: Resource,
  isTimeOver: () => boolean,
): Promise<Sliced> {
  const isQuoted = operation.format === 'CSV';
  const head = isQuoted ? await readHead(ctx, operation) : undefined;
  const header = head && headerOf(textOf(head.bytes ?? Buffer.alloc(0)), resource.columns);
  let at = operation.position;
  const from =
    head && at < head.end ? { position: head.end, line: head.lines } : { position: at, line: operation.line };
  const stream = await openInput(ctx, operation, from.position);
  try {
    for await (const record of splitRecords(stream, { isQuoted, from })) {
      if (isBlank(record)) continue;
      const step = { id: operation.id, from: at, position: record.end, line: record.lines };
      await importLine(ctx, operation, step, record, { resource, header });
      at = record.end;
      if (isTimeOver()) return { isMore: true };
    }
  } finally {
    stream.destroy();
  }
  return { isMore: false };
}

async function openInput(ctx: Context, { inputKey, size }: StoredBulk, start: number) {
  const isAll = start >= size;
  const body =
    inputKey === null
      ? undefined
      : await ctx.media.get(inputKey, isAll ? undefined : { start, end: size - 1 });
  if (!body) throw new AppError('NOT_FOUND', 'The file is gone.');
  if (isAll) body.push(null);
  return body;
}

async function readHead(ctx: Context, operation: StoredBulk): Promise<RawRecord> {
  const stream = await openInput(ctx, operation, 0);
  try {
    for await (const record of splitRecords(stream, { isQuoted: true, from: { position: 0, line: 0 } }))
      return record;
  } finally {
    stream.destroy();
  }
  throw invalid({ field: '', error: 'REQUIRED', message: 'The first line must name the columns.' });
}

const isBlank = ({ bytes }: RawRecord) =>
  bytes !== undefined && bytes.length < 1000 && bytes.toString('latin1').trim() === '';

interface Reading {
  resource: Resource;
  header: readonly string[] | undefined;
}

async function importLine(
  ctx: Context,
  { businessId, collectionId }: StoredBulk,
  step: Step,
  { bytes, line }: RawRecord,
  { resource, header }: Reading,
): Promise<void> {
  const target: Target = { businessId, collectionId: collectionId ?? undefined };
  let isCounted = false;
  const transaction: Context['db']['transaction'] = async (run) => {
    const isFirst = !isCounted;
    const result = await ctx.db.transaction(async (tx) => {
      if (isFirst) await advance(tx, step, { done: 1 });
      return run(tx);
    });
    isCounted = true;
    return result;
  };
  const request = { ...ctx.request, inOneTransaction: true };
  try {
    if (!bytes)
      throw invalid({ field: '', error: 'TOO_LONG', message: 'The line is longer than a record may be.' });
    const fields = fieldsOf(textOf(bytes), resource.columns, header);
    await resource.apply?.(
      { ctx: { ...ctx, request, db: { ...ctx.db, transaction } }, reading: ctx, fields },
      target,
    );
    if (!isCounted) await advance(ctx.db, step, { done: 1 });
  } catch (error) {
    if (isCounted) ctx.log.warn({ err: error, line }, 'a line was imported, and what follows from it failed');
    else await refuseLine(ctx, step, line, error);
  }
}

/** The line is counted with what the API would have said. What may work later is tried again later, with everything after it. */
async function refuseLine(ctx: Context, step: Step, line: number, error: unknown): Promise<void> {
  if (error instanceof Overtaken) throw error;
  const known = error instanceof AppError ? error : dbErrorToAppError(error);
  if (known && isDue(known.code)) throw error;
  if (!known) ctx.log.error({ err: error, operation: step.id, line }, 'a line could not be imported');
  const { code, message, details } = known ?? internal();
  await ctx.db.transaction(async (tx) => {
    await advance(tx, step, { failed: 1 });
    await keepError(tx, step.id, { line, code, message, details: details.slice(0, 20) });
  });
}
