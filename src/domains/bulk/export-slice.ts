/** Exports some pages of records, as one more piece of the file. Pieces are put once, and count once the database knows them. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { maxPageSize } from '../../lib/paging.ts';
import { append, Overtaken } from './claims.ts';
import type { Sliced } from './import-slice.ts';
import { headLine, lineOf } from './lines.ts';
import { mediaTypes, type StoredBulk } from './model.ts';
import type { Resource } from './resource.ts';

/** About so much is held in memory. */
const pieceBytes = 4 * 1024 * 1024;

export async function exportSlice(
  ctx: Context,
  operation: StoredBulk,
  resource: Resource,
  isTimeOver: () => boolean,
): Promise<Sliced> {
  const { id, businessId, format, parts } = operation;
  // Without a cursor it has not begun, or is over.
  if (parts.length > 0 && operation.cursor === null) return { isMore: false };
  const target = { businessId, collectionId: operation.collectionId ?? undefined };
  const lines = parts.length === 0 ? [headLine(format, resource.columns)] : [];
  let [bytes, done, cursor, total] = [0, 0, operation.cursor, operation.total];
  do {
    const page = await resource.page(ctx, target, { first: maxPageSize, after: cursor });
    total ??= await page.totalCount();
    for (const fields of page.nodes) {
      const line = lineOf(format, resource.columns, fields);
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
  await ctx.media.put(part.key, Readable.from([piece]), { size: part.size, type: mediaTypes[format] });
  try {
    await append(ctx.db, id, { parts: parts.length, part, cursor, done, total });
  } catch (error) {
    // Nobody knows of it: also when the operation has gone, with its business.
    if (error instanceof Overtaken) await ctx.media.removeAll(folder);
    throw error;
  }
  return { isMore: cursor !== null };
}
