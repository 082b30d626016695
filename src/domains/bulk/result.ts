/** Finds the file of an export by its signed address, as long as whom it was given to may read it. */
import { Readable } from 'node:stream';
import type { Services } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { isResultOf, type ResultLink } from './links.ts';
import { mediaTypes, type Part } from './model.ts';
import { mayStillDo } from './rights.ts';
import { findStored } from './store.ts';

export interface BulkResult {
  fileName: string;
  mimeType: string;
  size: number;
  open(): Readable;
}

export async function findResult(
  services: Pick<Services, 'db' | 'keys' | 'media'>,
  { signature, ...link }: ResultLink & { signature: string },
): Promise<BulkResult | undefined> {
  if (!isResultOf(services, link, signature)) return undefined;
  const found = await findStored(services.db, link.id);
  if (found?.kind !== 'EXPORT' || found.state !== 'COMPLETED') return undefined;
  if (!(await mayStillDo(services.db, link, found))) return undefined;
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
