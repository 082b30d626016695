/** Exports some pages of records, as one more piece of the file. Pieces are put once, and count once the database knows them. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../../context.ts';
import { maxPageSize } from '../../../lib/paging.ts';
import { formatHeaderLine, formatLine } from '../files/record-lines.ts';
import { appendExportPart, OperationSuperseded } from '../lifecycle/progress.ts';
import { bulkMediaTypes, type StoredBulkOperation } from '../model.ts';
import type { ResourceHandler } from '../resources/resource-handler.ts';
import type { SliceResult } from './import-slice.ts';

/** About so much is held in memory. */
const pieceBytes = 4 * 1024 * 1024;

export async function exportSlice(
  ctx: Context,
  operation: StoredBulkOperation,
  resource: ResourceHandler,
  isTimeOver: () => boolean,
): Promise<SliceResult> {
  const { id, businessId, format, parts } = operation;
  // Without a cursor it has not begun, or is over.
  if (parts.length > 0 && operation.cursor === null) return { hasMore: false };
  const target = { businessId, collectionId: operation.collectionId ?? undefined };
  const lines = parts.length === 0 ? [formatHeaderLine(format, resource.columns)] : [];
  let [bytes, done, cursor, total] = [0, 0, operation.cursor, operation.total];
  do {
    const page = await resource.page(ctx, target, { first: maxPageSize, after: cursor });
    total ??= await page.totalCount();
    for (const fields of page.nodes) {
      const line = formatLine(format, resource.columns, fields);
      bytes += Buffer.byteLength(line);
      lines.push(line);
    }
    done += page.nodes.length;
    const last = page.nodes.at(-1);
    cursor = page.hasNextPage && last ? page.cursorOf(last) : null;
  } while (cursor !== null && bytes < pieceBytes && !isTimeOver());
  const piece = Buffer.from(lines.join(''));
  const folder = `${businessId}/${id}/${randomUUID()}`;
  const part = { key: `${folder}/part`, size: piece.length };
  await ctx.media.put(part.key, Readable.from([piece]), { size: part.size, type: bulkMediaTypes[format] });
  try {
    await appendExportPart(ctx.db, id, { parts: parts.length, part, cursor, done, total });
  } catch (error) {
    // Nobody knows of it: also when the operation has gone, with its business.
    if (error instanceof OperationSuperseded) await ctx.media.removeAll(folder);
    throw error;
  }
  return { hasMore: cursor !== null };
}
