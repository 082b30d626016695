/** Uploaded media file as returned by the API, and its URLs. */
import type { Config } from '../../config.ts';
import type { MediaFile as StoredFile } from '../../generated/prisma/client.ts';
import { MediaState } from '../../generated/prisma/enums.ts';
import type { MediaResolution } from '../shared/media-and-status-history-types.ts';
import { computeScaledImageHeight } from './supported-media-types.ts';

export const mediaStates = Object.values(MediaState);

export interface MediaFile
  extends Omit<
    StoredFile,
    'key' | 'userId' | 'keyId' | 'widths' | 'width' | 'height' | 'createdAt' | 'updatedAt'
  > {
  width?: number | undefined;
  height?: number | undefined;
  /** Undefined until the file is uploaded. */
  url?: string | undefined;
  resolutions: MediaResolution[];
  createdAt: number;
  updatedAt: number;
}

/** Fields of the multipart form with which a client uploads a file. */
export interface UploadForm {
  mediaId: string;
  uploadUrl: string;
  fields: { name: string; value: string }[];
  expiresAt: number;
}

/** URL path prefix of served files. */
export const mediaPathPrefix = '/media/';
/** URL path prefix for uploads. */
export const mediaUploadsPathPrefix = '/media/uploads/';

/** Media type of generated resolutions. */
export const resolutionMimeType = 'image/webp';
/** Cannot collide with the name of an uploaded file, which never contains an underscore. */
export const buildMediaResolutionFileName = (width: number) => `w_${width}.webp`;

/** URL of an uploaded file, its resolutions, and its size in pixels if it is an image. */
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
  const urlOf = (name: string) => `${publicUrl}${mediaPathPrefix}${id}/${name}`;
  const size = width === null || height === null ? undefined : { width, height };
  return {
    ...size,
    url: urlOf(fileName),
    resolutions: size
      ? widths.map((resolutionWidth) => ({
          width: resolutionWidth,
          height: computeScaledImageHeight(size, resolutionWidth),
          url: urlOf(buildMediaResolutionFileName(resolutionWidth)),
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
  const { url, ...urls } = resolveMediaUrls(config, { ...file, widths, width, height });
  return {
    ...file,
    ...urls,
    url: file.state === 'UPLOADING' ? undefined : url,
    createdAt: Number(createdAt),
    updatedAt: Number(updatedAt),
  };
}
