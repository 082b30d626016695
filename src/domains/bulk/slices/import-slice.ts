/** Imports the lines of a file for the time of a slice, in batches of adaptive size. */
import type { Context } from '../../../context.ts';
import { AppError, validationError } from '../../../errors.ts';
import { decodeImportLine, parseCsvHeader } from '../files/import-and-export-lines.ts';
import { type RawImportRecord, splitRecords } from '../files/split-records.ts';
import type { StoredBulkOperation } from '../model.ts';
import type { BulkResourceHandler } from '../resources/resource-handler.ts';
import { importRecordBatch } from './import-lines.ts';

export interface BulkSliceResult {
  hasMore: boolean;
}

/** Maximum number of lines in a transaction, and approximate maximum number of bytes. */
const [maxBatchLines, maxBatchBytes] = [20, 256 * 1024];

/** Throws an AppError when the file as a whole is invalid, such as for an unknown column. */
export async function runImportSlice(
  ctx: Context,
  operation: StoredBulkOperation,
  resource: BulkResourceHandler,
  isTimeOver: () => boolean,
): Promise<BulkSliceResult> {
  const isQuoted = operation.format === 'CSV';
  const headerRecord = isQuoted ? await readHeaderRecord(ctx, operation) : undefined;
  const header =
    headerRecord && parseCsvHeader(decodeImportLine(headerRecord.bytes ?? Buffer.alloc(0)), resource.columns);
  let position = operation.position;
  const from =
    headerRecord && position < headerRecord.endPosition
      ? { position: headerRecord.endPosition, line: headerRecord.lastLine }
      : { position, line: operation.line };
  const stream = await openInput(ctx, operation, from.position);
  try {
    const maxLines = resource.oneLinePerTransaction ? 1 : maxBatchLines;
    let batchLines = maxLines;
    let records: RawImportRecord[] = [];
    const importRecords = async () => {
      const isClean = await importRecordBatch(
        ctx,
        operation,
        { resource, header, startPosition: position },
        records,
      );
      // Batches shrink after an error, so that frequent errors roll back little work, and grow again after success.
      batchLines = isClean ? Math.min(maxLines, batchLines * 2) : Math.max(1, Math.floor(batchLines / 4));
      position = records.at(-1)?.endPosition ?? position;
      records = [];
    };
    for await (const record of splitRecords(stream, { isQuoted, from })) {
      if (isBlank(record)) continue;
      records.push(record);
      if (records.length < batchLines && record.endPosition - position < maxBatchBytes) continue;
      await importRecords();
      if (isTimeOver()) return { hasMore: true };
    }
    if (records.length > 0) await importRecords();
  } finally {
    stream.destroy();
  }
  return { hasMore: false };
}

async function openInput(ctx: Context, { inputKey, size }: StoredBulkOperation, start: number) {
  const isAtEnd = start >= size;
  const body =
    inputKey === null
      ? undefined
      : await ctx.media.get(inputKey, isAtEnd ? undefined : { start, end: size - 1 });
  if (!body) throw new AppError('NOT_FOUND', 'The file of the import does not exist any more.');
  if (isAtEnd) body.push(null);
  return body;
}

async function readHeaderRecord(ctx: Context, operation: StoredBulkOperation): Promise<RawImportRecord> {
  const stream = await openInput(ctx, operation, 0);
  try {
    for await (const record of splitRecords(stream, { isQuoted: true, from: { position: 0, line: 0 } }))
      return record;
  } finally {
    stream.destroy();
  }
  throw validationError('', 'REQUIRED', 'The first line must contain the column names.');
}

const isBlank = ({ bytes }: RawImportRecord) =>
  bytes !== undefined && bytes.length < 1000 && bytes.toString('latin1').trim() === '';
