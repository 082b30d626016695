/** Finds the file of an export by its signed URL, as long as the user or API key of the URL has the permission. */
import { Readable } from 'node:stream';
import type { Services } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { isBulkStillAllowed } from '../lifecycle/bulk-permission-checks.ts';
import {
  findServicesOfBulkOperation,
  findStoredBulkOperation,
} from '../lifecycle/find-and-cancel-operations.ts';
import { bulkMediaTypes, type ExportPart } from '../model.ts';
import { type BulkResultLinkParams, isValidBulkResultSignature } from './signed-links.ts';

interface ExportDownload {
  fileName: string;
  mimeType: string;
  size: number;
  open(): Readable;
}

export async function findExportFile(
  ownServices: Services,
  { signature, ...link }: BulkResultLinkParams & { signature: string },
): Promise<ExportDownload | undefined> {
  if (!isValidBulkResultSignature(ownServices, link, signature)) return undefined;
  const services = await findServicesOfBulkOperation(ownServices, link.id);
  const operation = await findStoredBulkOperation(services.db, link.id);
  if (operation?.kind !== 'EXPORT' || operation.state !== 'COMPLETED') return undefined;
  if (!(await isBulkStillAllowed(services.db, link, operation))) return undefined;
  const { resource, format, parts } = operation;
  return {
    fileName: `${resource.toLowerCase()}.${format.toLowerCase()}`,
    mimeType: bulkMediaTypes[format],
    size: parts.reduce((sum, { size }) => sum + size, 0),
    open: () => Readable.from(readExportParts(services, parts)),
  };
}

/** Streams the parts one after the other. */
export async function* readExportParts({ media }: Pick<Services, 'media'>, parts: readonly ExportPart[]) {
  for (const { key } of parts) {
    const body = await media.get(key);
    if (!body) throw new AppError('NOT_FOUND', 'The file of the export does not exist any more.');
    yield* body as AsyncIterable<Buffer>;
  }
}
