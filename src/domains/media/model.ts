/** Uploaded files as callers see them. */
import type { Config } from '../../config.ts';
import type { MediaFile as StoredFile } from '../../generated/prisma/client.ts';
import { MediaState } from '../../generated/prisma/enums.ts';
import { heightAt } from './rules.ts';

export const mediaStates = Object.values(MediaState);

export interface Resolution {
  width: number;
  height: number;
  url: string;
  mimeType: string;
}

export interface MediaFile
  extends Omit<StoredFile, 'key' | 'widths' | 'width' | 'height' | 'createdAt' | 'updatedAt'> {
  width?: number | undefined;
  height?: number | undefined;
  /** Absent until it is uploaded. */
  url?: string | undefined;
  resolutions: Resolution[];
  createdAt: number;
  updatedAt: number;
}

/** What a form to upload with is made of. */
export interface Upload {
  mediaId: string;
  uploadUrl: string;
  fields: { name: string; value: string }[];
  expiresAt: number;
}

/** Below this the files are served. */
export const mediaPath = '/media/';
/** Below this they come in. */
export const uploadsPath = '/media/uploads/';

/** What smaller images are made as. */
export const resolutionType = 'image/webp';
/** No uploaded file is called so: their names have no underscore. */
export const resolutionName = (width: number) => `w_${width}.webp`;

export function toMediaFile(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { key: _key, widths, width, height, createdAt, updatedAt, ...file }: StoredFile,
): MediaFile {
  const urlOf = (name: string) => `${publicUrl}${mediaPath}${file.id}/${name}`;
  const measured = width === null || height === null ? undefined : { width, height };
  return {
    ...file,
    ...measured,
    url: file.state === 'UPLOADING' ? undefined : urlOf(file.fileName),
    resolutions: measured
      ? widths.map((one) => ({
          width: one,
          height: heightAt(measured, one),
          url: urlOf(resolutionName(one)),
          mimeType: resolutionType,
        }))
      : [],
    createdAt: Number(createdAt),
    updatedAt: Number(updatedAt),
  };
}
