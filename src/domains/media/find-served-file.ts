/** Finds what is behind the address of a file: the file itself, or one of its smaller images. */
import type { Services } from '../../context.ts';
import { isId } from '../../lib/ids.ts';
import type { ByteRange } from '../../ports/media.ts';
import { resolutionFileName, resolutionMimeType } from './model.ts';

export interface ServedFile {
  mimeType: string;
  /** Known for the file as it came. */
  size?: number | undefined;
  /** Whether the address will have these bytes for good. */
  isFinal: boolean;
  open(range?: ByteRange): ReturnType<Services['media']['get']>;
}

/** What is still being made is served as it came; what turned out to be broken is not. */
export async function findServedFile(
  { db, media }: Pick<Services, 'db' | 'media'>,
  id: string,
  name: string,
): Promise<ServedFile | undefined> {
  const file = isId(id) ? await db.prisma.mediaFile.findUnique({ where: { id } }) : null;
  if (!file?.key || (file.state !== 'READY' && file.state !== 'PROCESSING')) return undefined;
  const { key, mimeType, size } = file;
  const width = file.widths.find((one) => resolutionFileName(one) === name);
  if (width === undefined && name !== file.fileName) return undefined;
  const isMade = width !== undefined && file.state === 'READY';
  if (isMade)
    return {
      mimeType: resolutionMimeType,
      isFinal: true,
      open: (range) => media.get(`${key}/${name}`, range),
    };
  return {
    mimeType,
    size,
    isFinal: width === undefined,
    open: (range) => media.get(`${key}/original`, range),
  };
}
