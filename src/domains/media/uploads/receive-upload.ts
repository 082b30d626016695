/** Receives an uploaded file: verifies the form, spools to disk, validates the content, then stores it. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { identityStillHasAnyPermission } from '../../../auth/load-viewer-of-identity.ts';
import type { Services } from '../../../context.ts';
import type { DetailCode } from '../../../detail-codes.ts';
import { validationError } from '../../../errors.ts';
import type { MediaFile as StoredFile } from '../../../generated/prisma/client.ts';
import type { BoundedWorkQueue } from '../../../lib/async/bounded-work-queue.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import type { ImageMeasurements } from '../../../ports/images.ts';
import { findServicesOfMediaFile } from '../find-served-file.ts';
import { generateImageResolutionsJob } from '../generate-image-resolutions.ts';
import { type MediaFile, toMediaFile } from '../model.ts';
import {
  detectMimeType,
  isRasterImage,
  mediaEditPermissions,
  mimeTypeDetectionByteCount,
  selectResolutionWidthsBelow,
} from '../supported-media-types.ts';
import { isValidMediaUploadToken } from './create-upload.ts';
import { isSafeSvg } from './validate-svg.ts';

interface SubmittedMediaUpload {
  id: string;
  token: string;
  file: Readable;
}

const uploadError = (field: string, error: DetailCode, message: string) =>
  validationError(field, error, message);
const invalidFormError = () =>
  uploadError('token', 'INVALID_TOKEN', 'The upload form is invalid, was already used, or has expired.');

/** Verifies the form, then receives the file in one of the upload slots. Stops reading the request body as soon as the file is rejected. */
export async function receiveMediaUpload(
  ownServices: Services,
  { id, token, file }: SubmittedMediaUpload,
  inSlot: BoundedWorkQueue,
): Promise<MediaFile> {
  const services = await findServicesOfMediaFile(ownServices, id);
  const upload = await requirePendingUpload(services, id, token);
  return inSlot(() => spoolAndStore(services, upload, file), upload.userId ?? upload.businessId);
}

async function spoolAndStore(services: Services, upload: StoredFile, file: Readable): Promise<MediaFile> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-upload-'));
  try {
    const path = join(folder, 'file');
    await spoolToDisk(file, path, upload.size);
    const measures = await validateContent(services, path, upload);
    return await storeFile(services, upload, path, measures);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function requirePendingUpload(services: Services, id: string, token: string): Promise<StoredFile> {
  const upload = isId(id) ? await services.db.prisma.mediaFile.findUnique({ where: { id } }) : null;
  if (upload?.state !== 'UPLOADING') throw invalidFormError();
  if (!isValidMediaUploadToken(services, { id: upload.id, createdAt: Number(upload.createdAt) }, token))
    throw invalidFormError();
  if (!(await uploaderStillHasPermission(services, upload))) throw invalidFormError();
  return upload;
}

async function uploaderStillHasPermission(
  { db }: Services,
  { businessId, userId, keyId }: StoredFile,
): Promise<boolean> {
  // Created by an older release that did not store the user.
  if (userId === null) return true;
  return identityStillHasAnyPermission(
    db,
    { userId, keyId: keyId ?? undefined },
    mediaEditPermissions,
    businessId,
  );
}

/** Spools to disk, so that large uploads do not occupy memory. */
async function spoolToDisk(file: Readable, path: string, size: number): Promise<void> {
  const target = await open(path, 'wx');
  let remainingBytes = size;
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) break;
      await target.write(chunk);
    }
  } finally {
    await target.close();
  }
  if (remainingBytes !== 0)
    throw uploadError(
      'file',
      'SIZE_MISMATCH',
      `The file must have exactly ${size} bytes, as stated in createUpload.`,
    );
}

/** Validates that the content matches the declared media type, and measures raster images. */
async function validateContent(
  { images }: Services,
  path: string,
  { mimeType }: StoredFile,
): Promise<ImageMeasurements | undefined> {
  const detectedType = detectMimeType(await readSignature(path));
  if (detectedType === undefined)
    throw uploadError(
      'file',
      'UNSUPPORTED_MEDIA',
      'The content of the file is not of a supported media type.',
    );
  if (detectedType !== mimeType)
    throw uploadError(
      'file',
      'MEDIA_TYPE_MISMATCH',
      `The content of the file is ${detectedType}, not ${mimeType}.`,
    );
  if (detectedType === 'image/svg+xml' && !(await isSafeSvg(await readFile(path))))
    throw uploadError(
      'file',
      'UNSAFE_SVG',
      'The SVG file contains unsafe content, such as scripts, event handlers or external references.',
    );
  if (!isRasterImage(detectedType)) return undefined;
  const measures = await images.measure(path);
  if (measures?.format !== detectedType.replace('image/', ''))
    throw uploadError('file', 'BROKEN_IMAGE', 'The image cannot be read, or has too many pixels.');
  return measures;
}

async function readSignature(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(mimeTypeDetectionByteCount),
      0,
      mimeTypeDetectionByteCount,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Stores the file. Of concurrent uploads with one form, the conditional update lets one win; the files of the others are removed again. */
async function storeFile(
  services: Services,
  { id, businessId, size, mimeType }: StoredFile,
  path: string,
  measures: ImageMeasurements | undefined,
): Promise<MediaFile> {
  const key = `${businessId}/${id}/${randomUUID()}`;
  await services.media.put(`${key}/original`, createReadStream(path), { size, type: mimeType });
  const storedRow = await services.db.transaction(async (tx) => {
    const [row] = await tx.prisma.mediaFile.updateManyAndReturn({
      where: { id, state: 'UPLOADING' },
      data: {
        state: measures ? 'PROCESSING' : 'READY',
        key,
        userId: null,
        keyId: null,
        width: measures?.width ?? null,
        height: measures?.height ?? null,
        widths: measures && !measures.isAnimated ? selectResolutionWidthsBelow(measures.width) : [],
        updatedAt: now(),
      },
    });
    if (row && measures) {
      const queuedBefore = await tx.prisma.mediaFile.count({
        where: { businessId, state: 'PROCESSING', id: { not: id } },
      });
      await services.jobs.enqueue(tx, generateImageResolutionsJob, { id }, { fairnessRank: queuedBefore });
    }
    return row;
  });
  if (storedRow) return toMediaFile(services.config, storedRow);
  await services.media.removeAll(key);
  throw invalidFormError();
}
