/** Imports some lines of a file, several at a time. */
import type { Context } from '../../context.ts';
import { AppError, invalid } from '../../errors.ts';
import { importTogether } from './import-lines.ts';
import { headerOf, textOf } from './lines.ts';
import type { StoredBulk } from './model.ts';
import type { Resource } from './resource.ts';
import { type RawRecord, splitRecords } from './split.ts';

export interface Sliced {
  isMore: boolean;
}

/** So many lines share a transaction at most, and about so many bytes. */
const [mostTogether, bytesTogether] = [20, 256 * 1024];

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
    const most = resource.isAlone ? 1 : mostTogether;
    let together = most;
    let records: RawRecord[] = [];
    const importThem = async () => {
      const isClean = await importTogether(ctx, operation, { resource, header, from: at }, records);
      // Where faults are many, little is done in vain.
      together = isClean ? Math.min(most, together * 2) : Math.max(1, Math.floor(together / 4));
      at = records.at(-1)?.end ?? at;
      records = [];
    };
    for await (const record of splitRecords(stream, { isQuoted, from })) {
      if (isBlank(record)) continue;
      records.push(record);
      if (records.length < together && record.end - at < bytesTogether) continue;
      await importThem();
      if (isTimeOver()) return { isMore: true };
    }
    if (records.length > 0) await importThem();
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
