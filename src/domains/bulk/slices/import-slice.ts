/** Imports some lines of a file, several at a time. */
import type { Context } from '../../../context.ts';
import { AppError, validationError } from '../../../errors.ts';
import { decodeLine, parseCsvHeader } from '../files/record-lines.ts';
import { type RawRecord, splitRecords } from '../files/split-records.ts';
import type { StoredBulkOperation } from '../model.ts';
import type { ResourceHandler } from '../resources/resource-handler.ts';
import { importBatch } from './import-lines.ts';

export interface SliceResult {
  hasMore: boolean;
}

/** So many lines share a transaction at most, and about so many bytes. */
const [mostTogether, bytesTogether] = [20, 256 * 1024];

/** Throws an AppError when the file as a whole is of no use. */
export async function importSlice(
  ctx: Context,
  operation: StoredBulkOperation,
  resource: ResourceHandler,
  isTimeOver: () => boolean,
): Promise<SliceResult> {
  const isQuoted = operation.format === 'CSV';
  const head = isQuoted ? await readHead(ctx, operation) : undefined;
  const header = head && parseCsvHeader(decodeLine(head.bytes ?? Buffer.alloc(0)), resource.columns);
  let at = operation.position;
  const from =
    head && at < head.endPosition
      ? { position: head.endPosition, line: head.lastLine }
      : { position: at, line: operation.line };
  const stream = await openInput(ctx, operation, from.position);
  try {
    const most = resource.oneLinePerTransaction ? 1 : mostTogether;
    let together = most;
    let records: RawRecord[] = [];
    const importThem = async () => {
      const isClean = await importBatch(ctx, operation, { resource, header, startPosition: at }, records);
      // Where faults are many, little is done in vain.
      together = isClean ? Math.min(most, together * 2) : Math.max(1, Math.floor(together / 4));
      at = records.at(-1)?.endPosition ?? at;
      records = [];
    };
    for await (const record of splitRecords(stream, { isQuoted, from })) {
      if (isBlank(record)) continue;
      records.push(record);
      if (records.length < together && record.endPosition - at < bytesTogether) continue;
      await importThem();
      if (isTimeOver()) return { hasMore: true };
    }
    if (records.length > 0) await importThem();
  } finally {
    stream.destroy();
  }
  return { hasMore: false };
}

async function openInput(ctx: Context, { inputKey, size }: StoredBulkOperation, start: number) {
  const isAll = start >= size;
  const body =
    inputKey === null
      ? undefined
      : await ctx.media.get(inputKey, isAll ? undefined : { start, end: size - 1 });
  if (!body) throw new AppError('NOT_FOUND', 'The file is gone.');
  if (isAll) body.push(null);
  return body;
}

async function readHead(ctx: Context, operation: StoredBulkOperation): Promise<RawRecord> {
  const stream = await openInput(ctx, operation, 0);
  try {
    for await (const record of splitRecords(stream, { isQuoted: true, from: { position: 0, line: 0 } }))
      return record;
  } finally {
    stream.destroy();
  }
  throw validationError({ field: '', error: 'REQUIRED', message: 'The first line must name the columns.' });
}

const isBlank = ({ bytes }: RawRecord) =>
  bytes !== undefined && bytes.length < 1000 && bytes.toString('latin1').trim() === '';
