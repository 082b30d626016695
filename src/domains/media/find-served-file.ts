/** Resolves the URL of a media file to its original or one of its resolutions. */
import type { Services } from '../../context.ts';
import { findServicesOfRecord } from '../../find-on-servers.ts';
import { isId } from '../../lib/ids.ts';
import type { ByteRange } from '../../ports/media.ts';
import { buildMediaResolutionFileName, resolutionMimeType } from './model.ts';

export interface ServedMediaFile {
  mimeType: string;
  /** Size in bytes; undefined for resolutions. */
  size?: number | undefined;
  /** Whether the content of this URL never changes again, so that it may be cached as immutable. */
  isFinal: boolean;
  open(range?: ByteRange): ReturnType<Services['media']['get']>;
}

/** Services of the server that has the file: its URLs do not name the business. */
export const findServicesOfMediaFile = (services: Services, id: string): Promise<Services> =>
  findServicesOfRecord(
    services,
    async ({ prisma }) => isId(id) && (await prisma.mediaFile.count({ where: { id } })) > 0,
  );

/** A resolution that is still being generated is served as the original. FAILED files are not served. */
export async function findServedMediaFile(
  services: Services,
  id: string,
  name: string,
): Promise<ServedMediaFile | undefined> {
  const { db, media } = await findServicesOfMediaFile(services, id);
  const file = isId(id) ? await db.prisma.mediaFile.findUnique({ where: { id } }) : null;
  if (!file?.key || (file.state !== 'READY' && file.state !== 'PROCESSING')) return undefined;
  const { key, mimeType, size } = file;
  const width = file.widths.find((candidate) => buildMediaResolutionFileName(candidate) === name);
  if (width === undefined && name !== file.fileName) return undefined;
  const isGenerated = width !== undefined && file.state === 'READY';
  if (isGenerated)
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
