/** Takes in the file of an import, which somebody sends with its form. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { AppError, validationError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { claimBulkSlot } from '../lifecycle/concurrency-limits.ts';
import { findStoredBulkOperation } from '../lifecycle/find-operations.ts';
import { isBulkStillAllowed } from '../lifecycle/permissions.ts';
import { runBulkJob } from '../lifecycle/run-operation.ts';
import {
  type BulkOperation,
  bulkMediaTypes,
  type StoredBulkOperation,
  toStoredBulkOperation,
} from '../model.ts';
import { isValidUploadToken, toBulkOperation } from './signed-links.ts';

export const maxImportFileBytes = 256 * 1024 * 1024;

const wrongForm = () =>
  validationError({
    field: 'token',
    error: 'INVALID_TOKEN',
    message: 'This form was used, has expired, or is not ours.',
  });

export async function receiveImportFile(
  services: Services,
  { id, token, file }: { id: string; token: string; file: Readable },
): Promise<BulkOperation> {
  const waiting = await findStoredBulkOperation(services.db, id);
  if (waiting?.state !== 'UPLOADING' || !isValidUploadToken(services, waiting, token)) throw wrongForm();
  const asker = { userId: waiting.userId, keyId: waiting.keyId ?? undefined };
  if (!(await isBulkStillAllowed(services.db, asker, waiting))) throw wrongForm();
  const folder = await mkdtemp(join(tmpdir(), 'duet-bulk-'));
  try {
    const path = join(folder, 'file');
    const size = await spool(file, path, maxImportFileBytes);
    return await storeImportFile(services, waiting, path, size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** On disk while it comes: the store wants to know how long it is. */
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
  if (size === 0) throw validationError({ field: 'file', error: 'REQUIRED', message: 'The file is empty.' });
  return size;
}

/** The database decides who was first with a form; what came second is removed again. */
export async function storeImportFile(
  services: Services,
  { id, businessId, format }: StoredBulkOperation,
  path: string,
  size: number,
): Promise<BulkOperation> {
  const folder = `${businessId}/${id}/${randomUUID()}`;
  const inputKey = `${folder}/input`;
  await services.media.put(inputKey, createReadStream(path), { size, type: bulkMediaTypes[format] });
  const keep = async (tx: Queries) => {
    await claimBulkSlot(tx, businessId);
    const [row] = await tx.prisma.bulkOperation.updateManyAndReturn({
      where: { id, state: 'UPLOADING' },
      data: { state: 'QUEUED', inputKey, size, updatedAt: now() },
    });
    if (!row) throw wrongForm();
    await services.jobs.enqueue(tx, runBulkJob, { id }, { key: id });
    return toBulkOperation(services, toStoredBulkOperation(row));
  };
  try {
    return await services.db.transaction(keep);
  } catch (error) {
    await services.media.removeAll(folder);
    throw error;
  }
}
