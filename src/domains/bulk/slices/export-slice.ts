/** Exports some pages of records as the next part of the file. A part belongs to the file once its row update has succeeded. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../../context.ts';
import { maxPageSize } from '../../../lib/paging.ts';
import { formatExportHeaderLine, formatExportLine } from '../files/import-and-export-lines.ts';
import { BulkOperationSupersededError, recordExportPart } from '../lifecycle/progress.ts';
import { bulkMediaTypes, type StoredBulkOperation } from '../model.ts';
import type { BulkResourceHandler } from '../resources/resource-handler.ts';
import type { BulkSliceResult } from './import-slice.ts';

/** Approximate maximum size of a part, which is built in memory. */
const partBytes = 4 * 1024 * 1024;

export async function runExportSlice(
  ctx: Context,
  operation: StoredBulkOperation,
  resource: BulkResourceHandler,
  isTimeOver: () => boolean,
): Promise<BulkSliceResult> {
  const { id, businessId, format, parts } = operation;
  // A null cursor means not started (no parts) or completed.
  if (parts.length > 0 && operation.cursor === null) return { hasMore: false };
  const target = { businessId, collectionId: operation.collectionId ?? undefined };
  const lines = parts.length === 0 ? [formatExportHeaderLine(format, resource.columns)] : [];
  let [bytes, done, cursor, total] = [0, 0, operation.cursor, operation.total];
  do {
    const page = await resource.page(ctx, target, { first: maxPageSize, after: cursor });
    total ??= await page.totalCount();
    for (const fields of page.nodes) {
      const line = formatExportLine(format, resource.columns, fields);
      bytes += Buffer.byteLength(line);
      lines.push(line);
    }
    done += page.nodes.length;
    const last = page.nodes.at(-1);
    cursor = page.hasNextPage && last ? page.cursorOf(last) : null;
  } while (cursor !== null && bytes < partBytes && !isTimeOver());
  const content = Buffer.from(lines.join(''));
  const folder = `${businessId}/${id}/${randomUUID()}`;
  const part = { key: `${folder}/part`, size: content.length };
  await ctx.media.put(part.key, Readable.from([content]), {
    size: part.size,
    type: bulkMediaTypes[format],
    isPrivate: true,
  });
  try {
    await recordExportPart(ctx.db, id, { parts: parts.length, part, cursor, done, total });
  } catch (error) {
    // No row references the part: another process was faster, or the operation was cancelled or deleted.
    if (error instanceof BulkOperationSupersededError) await ctx.media.removeAll(folder);
    throw error;
  }
  return { hasMore: cursor !== null };
}
