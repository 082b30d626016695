/** Takes in a file that somebody sends with a form of ours: checked while it comes, kept once all is well. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { stillHasPermission } from '../../../auth/viewer.ts';
import type { Services } from '../../../context.ts';
import type { DetailCode } from '../../../detail-codes.ts';
import { validationError } from '../../../errors.ts';
import type { MediaFile as StoredFile } from '../../../generated/prisma/client.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import type { ImageMeasurements } from '../../../ports/images.ts';
import { type MediaFile, toMediaFile } from '../model.ts';
import { processImageJob } from '../process-image.ts';
import {
  detectMimeType,
  isRasterImage,
  mediaEditPermissions,
  resolutionWidthsBelow,
  signatureBytes,
} from '../rules.ts';
import { isValidMediaUploadToken } from './create-upload.ts';
import { isSafeSvg } from './svg-safety.ts';

export interface SubmittedUpload {
  id: string;
  token: string;
  file: Readable;
}

const refuse = (field: string, error: DetailCode, message: string) =>
  validationError({ field, error, message });
const wrongForm = () => refuse('token', 'INVALID_TOKEN', 'This form was used, has expired, or is not ours.');

/** The rest of a file that is refused is not read. */
export async function receiveUpload(
  services: Services,
  { id, token, file }: SubmittedUpload,
): Promise<MediaFile> {
  const waiting = await findWaiting(services, id, token);
  const folder = await mkdtemp(join(tmpdir(), 'duet-upload-'));
  try {
    const path = join(folder, 'file');
    await spool(file, path, waiting.size);
    const measures = await inspect(services, path, waiting);
    return await keep(services, waiting, path, measures);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findWaiting(services: Services, id: string, token: string): Promise<StoredFile> {
  const found = isId(id) ? await services.db.prisma.mediaFile.findUnique({ where: { id } }) : null;
  if (found?.state !== 'UPLOADING') throw wrongForm();
  if (!isValidMediaUploadToken(services, { id: found.id, createdAt: Number(found.createdAt) }, token))
    throw wrongForm();
  if (!(await isStillAllowed(services, found))) throw wrongForm();
  return found;
}

async function isStillAllowed({ db }: Services, { businessId, userId, keyId }: StoredFile): Promise<boolean> {
  // Made by a version that did not write it down.
  if (userId === null) return true;
  return stillHasPermission(db, { userId, keyId: keyId ?? undefined }, mediaEditPermissions, businessId);
}

/** On disk while it comes: memory is for many, a file is from one. */
async function spool(file: Readable, path: string, size: number): Promise<void> {
  const target = await open(path, 'wx');
  let left = size;
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) break;
      await target.write(chunk);
    }
  } finally {
    await target.close();
  }
  if (left !== 0)
    throw refuse('file', 'SIZE_MISMATCH', `The file must have the ${size} bytes it was announced with.`);
}

/** Whether it is what it was announced as, by its content; and its measures, if it has any. */
async function inspect(
  { images }: Services,
  path: string,
  { mimeType }: StoredFile,
): Promise<ImageMeasurements | undefined> {
  const kind = detectMimeType(await headOf(path));
  if (kind === undefined)
    throw refuse('file', 'UNSUPPORTED_MEDIA', 'By its content this is no file of a kind that is taken.');
  if (kind !== mimeType)
    throw refuse('file', 'MEDIA_TYPE_MISMATCH', `By its content this is ${kind}, not ${mimeType}.`);
  if (kind === 'image/svg+xml' && !(await isSafeSvg(await readFile(path))))
    throw refuse(
      'file',
      'UNSAFE_SVG',
      'The drawing holds more than shapes: scripts, handlers, references, or what cannot be told apart from them.',
    );
  if (!isRasterImage(kind)) return undefined;
  const measures = await images.measure(path);
  if (measures?.format !== kind.replace('image/', ''))
    throw refuse('file', 'BROKEN_IMAGE', 'The image cannot be read, or has too many pixels.');
  return measures;
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(signatureBytes), 0, signatureBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The database decides who was first with a form; what came second is removed again. */
async function keep(
  services: Services,
  { id, businessId, size, mimeType }: StoredFile,
  path: string,
  measures: ImageMeasurements | undefined,
): Promise<MediaFile> {
  const key = `${businessId}/${id}/${randomUUID()}`;
  await services.media.put(`${key}/original`, createReadStream(path), { size, type: mimeType });
  const kept = await services.db.transaction(async (tx) => {
    const [row] = await tx.prisma.mediaFile.updateManyAndReturn({
      where: { id, state: 'UPLOADING' },
      data: {
        state: measures ? 'PROCESSING' : 'READY',
        key,
        userId: null,
        keyId: null,
        width: measures?.width ?? null,
        height: measures?.height ?? null,
        widths: measures && !measures.isAnimated ? resolutionWidthsBelow(measures.width) : [],
        updatedAt: now(),
      },
    });
    if (row && measures) {
      const behind = await tx.prisma.mediaFile.count({
        where: { businessId, state: 'PROCESSING', id: { not: id } },
      });
      await services.jobs.enqueue(tx, processImageJob, { id }, { fairnessRank: behind });
    }
    return row;
  });
  if (kept) return toMediaFile(services.config, kept);
  await services.media.removeAll(key);
  throw wrongForm();
}
