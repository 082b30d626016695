/** Uploaded files as callers see them. */
import type { Config } from '../../config.ts';
import type { MediaFile as StoredFile } from '../../generated/prisma/client.ts';
import { MediaState } from '../../generated/prisma/enums.ts';
import type { MediaResolution } from '../shared/model.ts';
import { scaledHeight } from './rules.ts';

export const mediaStates = Object.values(MediaState);

export interface MediaFile
  extends Omit<
    StoredFile,
    'key' | 'userId' | 'keyId' | 'widths' | 'width' | 'height' | 'createdAt' | 'updatedAt'
  > {
  width?: number | undefined;
  height?: number | undefined;
  /** Absent until it is uploaded. */
  url?: string | undefined;
  resolutions: MediaResolution[];
  createdAt: number;
  updatedAt: number;
}

/** What a form to upload with is made of. */
export interface UploadForm {
  mediaId: string;
  uploadUrl: string;
  fields: { name: string; value: string }[];
  expiresAt: number;
}

/** Below this the files are served. */
export const mediaPath = '/media/';
/** Below this they come in. */
export const mediaUploadsPath = '/media/uploads/';

/** What smaller images are made as. */
export const resolutionMimeType = 'image/webp';
/** No uploaded file is called so: their names have no underscore. */
export const resolutionFileName = (width: number) => `w_${width}.webp`;

/** Where an uploaded file is, and its smaller images; the size of images. */
export function resolveMediaUrls(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  {
    id,
    fileName,
    widths,
    width,
    height,
  }: Pick<StoredFile, 'id' | 'fileName' | 'widths' | 'width' | 'height'>,
): { url: string; width?: number; height?: number; resolutions: MediaResolution[] } {
  const urlOf = (name: string) => `${publicUrl}${mediaPath}${id}/${name}`;
  const measured = width === null || height === null ? undefined : { width, height };
  return {
    ...measured,
    url: urlOf(fileName),
    resolutions: measured
      ? widths.map((one) => ({
          width: one,
          height: scaledHeight(measured, one),
          url: urlOf(resolutionFileName(one)),
          mimeType: resolutionMimeType,
        }))
      : [],
  };
}

export function toMediaFile(
  config: Pick<Config, 'publicUrl'>,
  {
    key: _key,
    userId: _user,
    keyId: _keyId,
    widths,
    width,
    height,
    createdAt,
    updatedAt,
    ...file
  }: StoredFile,
): MediaFile {
  const { url, ...seen } = resolveMediaUrls(config, { ...file, widths, width, height });
  return {
    ...file,
    ...seen,
    url: file.state === 'UPLOADING' ? undefined : url,
    createdAt: Number(createdAt),
    updatedAt: Number(updatedAt),
  };
}
