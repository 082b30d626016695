/** Takes in the file of an import, which somebody sends with its form. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError, invalid } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { isUploadOf, shown } from './links.ts';
import { type BulkOperation, mediaTypes, type StoredBulk, toStored } from './model.ts';
import { mayStillDo } from './rights.ts';
import { claimRoom } from './room.ts';
import { runJob } from './run.ts';
import { findStored } from './store.ts';

export const maxFileBytes = 256 * 1024 * 1024;

const wrongForm = () =>
  invalid({
    field: 'token',
    error: 'INVALID_TOKEN',
    message: 'This form was used, has expired, or is not ours.',
  });

export async function receiveBulkFile(
  services: Services,
  { id, token, file }: { id: string; token: string; file: Readable },
): Promise<BulkOperation> {
  const waiting = await findStored(services.db, id);
  if (waiting?.state !== 'UPLOADING' || !isUploadOf(services, waiting, token)) throw wrongForm();
  const asker = { userId: waiting.userId, keyId: waiting.keyId ?? undefined };
  if (!(await mayStillDo(services.db, asker, waiting))) throw wrongForm();
  const folder = await mkdtemp(join(tmpdir(), 'duet-bulk-'));
  try {
    const path = join(folder, 'file');
    const size = await spool(file, path, maxFileBytes);
    return await keepFile(services, waiting, path, size);
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
  if (size === 0) throw invalid({ field: 'file', error: 'REQUIRED', message: 'The file is empty.' });
  return size;
}

/** The database decides who was first with a form; what came second is removed again. */
export async function keepFile(
  services: Services,
  { id, businessId, format }: StoredBulk,
  path: string,
  size: number,
): Promise<BulkOperation> {
  const folder = `${businessId}/${id}/${randomUUID()}`;
  const inputKey = `${folder}/input`;
  await services.media.put(inputKey, createReadStream(path), { size, type: mediaTypes[format] });
  const keep = async (tx: Queries) => {
    await claimRoom(tx, businessId);
    const [row] = await tx.prisma.bulkOperation.updateManyAndReturn({
      where: { id, state: 'UPLOADING' },
      data: { state: 'QUEUED', inputKey, size, updatedAt: now() },
    });
    if (!row) throw wrongForm();
    await services.jobs.enqueue(tx, runJob, { id }, { key: id });
    return shown(services, toStored(row));
  };
  try {
    return await services.db.transaction(keep);
  } catch (error) {
    await services.media.removeAll(folder);
    throw error;
  }
}
