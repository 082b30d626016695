/** Media items that reference an uploaded file by `mediaId`. URL and sizes are copied into the record when it is written, so that reading it needs no extra query. */
import type { Config } from '../../config.ts';
import type { QueryHandle } from '../../db/index.ts';
import type { ErrorDetail } from '../../errors.ts';
import type { Block } from '../blocks/model.ts';
import type { MediaItem } from '../shared/media-and-status-history-types.ts';
import { resolveMediaUrls } from './model.ts';

/** Media item and its field path in the input. */
export interface MediaReference {
  field: string;
  item: MediaItem;
}

type Gallery = readonly MediaItem[] | undefined;

export const findGalleryMediaReferences = (gallery: Gallery, field: string): MediaReference[] =>
  (gallery ?? []).flatMap((item, index) => (item?.mediaId ? [{ field: `${field}.${index}`, item }] : []));

export const findBlockMediaReferences = (blocks: readonly Block[] | undefined): MediaReference[] =>
  (blocks ?? []).flatMap(({ type, value }, index) => {
    if (type !== 'MEDIA' || !value) return [];
    const field = `blocks.${index}.value`;
    if (Array.isArray(value)) return findGalleryMediaReferences(value as MediaItem[], field);
    const item = value as MediaItem;
    return item.mediaId ? [{ field, item }] : [];
  });

interface FileRow {
  id: string;
  fileName: string;
  mimeType: string;
  width: number | null;
  height: number | null;
  widths: number[];
  alt: string;
}

/** `for key share` prevents deletion of the files until the transaction ends. */
const lockUsableFiles = `select id, file_name as "fileName", mime_type as "mimeType", width, height, widths, alt from media
  where business_id = $1 and id = any($2::uuid[]) and state in ('PROCESSING', 'READY') order by id for key share`;

/** Copies media type, URL, sizes and alternative text of the files into the items. Returns an error for each reference that is not an uploaded file of the business. */
export async function fillMediaReferences(
  { config }: { config: Pick<Config, 'publicUrl'> },
  tx: QueryHandle,
  businessId: string,
  references: readonly MediaReference[],
): Promise<ErrorDetail[]> {
  if (references.length === 0) return [];
  const ids = [...new Set(references.map(({ item }) => item.mediaId))];
  const files = new Map(
    (await tx.sql<FileRow>(lockUsableFiles, [businessId, ids])).map((file) => [file.id, file]),
  );
  return references.flatMap(({ field, item }) => {
    const file = files.get(item.mediaId ?? '');
    if (!file) return [mediaNotFoundError(`${field}.mediaId`)];
    const alt = item.alt ?? (file.alt || undefined);
    Object.assign(
      item,
      { mimeType: file.mimeType },
      resolveMediaUrls(config, file),
      alt === undefined ? {} : { alt },
    );
    return [];
  });
}

const mediaNotFoundError = (field: string): ErrorDetail => ({
  field,
  error: 'MEDIA_NOT_FOUND',
  message: 'The business has no such file, or it is not uploaded yet.',
});
