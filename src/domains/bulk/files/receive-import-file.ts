/** Receives the file of an import from its upload form. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { AppError, validationError } from '../../../errors.ts';
import type { BoundedWorkQueue } from '../../../lib/async/bounded-work-queue.ts';
import { now } from '../../../lib/time.ts';
import { assertWithinStorageQuota } from '../../shared/storage-and-record-quotas.ts';
import { isBulkStillAllowed } from '../lifecycle/bulk-permission-checks.ts';
import { lockAndAssertFreeBulkSlot } from '../lifecycle/concurrency-limits.ts';
import {
  findServicesOfBulkOperation,
  findStoredBulkOperation,
} from '../lifecycle/find-and-cancel-operations.ts';
import { runBulkJob } from '../lifecycle/run-operation.ts';
import {
  type BulkOperation,
  bulkMediaTypes,
  type StoredBulkOperation,
  toStoredBulkOperation,
} from '../model.ts';
import { isValidImportUploadToken, toBulkOperation } from './signed-links.ts';

export const maxImportFileBytes = 256 * 1024 * 1024;

const invalidForm = () =>
  validationError(
    'token',
    'INVALID_TOKEN',
    'The upload form is unknown, was used already, or has expired. Start a new import.',
  );

/** Verifies the form, then receives the file in one of the upload slots. */
export async function receiveImportFile(
  ownServices: Services,
  { id, token, file }: { id: string; token: string; file: Readable },
  inSlot: BoundedWorkQueue,
): Promise<BulkOperation> {
  const services = await findServicesOfBulkOperation(ownServices, id);
  const operation = await findStoredBulkOperation(services.db, id);
  if (operation?.state !== 'UPLOADING' || !isValidImportUploadToken(services, operation, token))
    throw invalidForm();
  const requester = { userId: operation.userId, keyId: operation.keyId ?? undefined };
  if (!(await isBulkStillAllowed(services.db, requester, operation))) throw invalidForm();
  return inSlot(() => spoolAndStore(services, operation, file), operation.userId);
}

async function spoolAndStore(
  services: Services,
  operation: StoredBulkOperation,
  file: Readable,
): Promise<BulkOperation> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-bulk-'));
  try {
    const path = join(folder, 'file');
    const size = await spool(file, path, maxImportFileBytes);
    return await storeImportFile(services, operation, path, size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the upload to a temporary file and returns its size, which the media store needs in advance. */
async function spool(file: Readable, path: string, maxBytes: number): Promise<number> {
  const target = await open(path, 'wx');
  let size = 0;
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes)
        throw new AppError('PAYLOAD_TOO_LARGE', `The file must have at most ${maxBytes} bytes.`);
      await target.write(chunk);
    }
  } finally {
    await target.close();
  }
  if (size === 0) throw validationError('file', 'REQUIRED', 'The file is empty.');
  return size;
}

/** Of concurrent uploads with the same form, the row update accepts one; the files of the others are removed. */
export async function storeImportFile(
  services: Services,
  { id, businessId, format }: StoredBulkOperation,
  path: string,
  size: number,
): Promise<BulkOperation> {
  const folder = `${businessId}/${id}/${randomUUID()}`;
  const inputKey = `${folder}/input`;
  await services.media.put(inputKey, createReadStream(path), {
    size,
    type: bulkMediaTypes[format],
    isPrivate: true,
  });
  const accept = async (tx: QueryHandle) => {
    await lockAndAssertFreeBulkSlot(tx, businessId);
    await assertWithinStorageQuota(services, tx, businessId, size);
    const [row] = await tx.prisma.bulkOperation.updateManyAndReturn({
      where: { id, state: 'UPLOADING' },
      data: { state: 'QUEUED', inputKey, size, updatedAt: now() },
    });
    if (!row) throw invalidForm();
    await services.jobs.enqueue(tx, runBulkJob, { id }, { key: id });
    return toBulkOperation(services, toStoredBulkOperation(row));
  };
  try {
    return await services.db.transaction(accept);
  } catch (error) {
    await services.media.removeAll(folder);
    throw error;
  }
}
