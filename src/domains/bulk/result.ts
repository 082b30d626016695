/** Finds the file of an export for whoever has its signed address. */
import { Readable } from 'node:stream';
import type { Services } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { isResultOf } from './links.ts';
import { mediaTypes, type Part } from './model.ts';
import { findStored } from './store.ts';

export interface BulkResult {
  fileName: string;
  mimeType: string;
  size: number;
  open(): Readable;
}

export async function findResult(
  services: Pick<Services, 'db' | 'keys' | 'media'>,
  { id, expires, signature }: { id: string; expires: number; signature: string },
): Promise<BulkResult | undefined> {
  if (!isResultOf(services, id, expires, signature)) return undefined;
  const found = await findStored(services.db, id);
  if (found?.kind !== 'EXPORT' || found.state !== 'COMPLETED') return undefined;
  const { resource, format, parts } = found;
  return {
    fileName: `${resource.toLowerCase()}.${format.toLowerCase()}`,
    mimeType: mediaTypes[format],
    size: parts.reduce((sum, { size }) => sum + size, 0),
    open: () => Readable.from(piecesOf(services, parts)),
  };
}

/** One piece after the other, as they are read. */
export async function* piecesOf({ media }: Pick<Services, 'media'>, parts: readonly Part[]) {
  for (const { key } of parts) {
    const body = await media.get(key);
    if (!body) throw new AppError('NOT_FOUND', 'The file is gone.');
    yield* body as AsyncIterable<Buffer>;
  }
}
