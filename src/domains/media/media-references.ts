/** Files that records name: looked up when the record is written, so that reading it takes no more than before. */
import type { Config } from '../../config.ts';
import type { Queries } from '../../db/handles.ts';
import type { ErrorDetail } from '../../errors.ts';
import type { Block } from '../blocks/model.ts';
import type { Media } from '../shared/model.ts';
import { resolveMediaUrls } from './model.ts';

/** A media item, and where it was sent. */
export interface MediaReference {
  field: string;
  item: Media;
}

type Gallery = readonly Media[] | undefined;

export const findGalleryMediaReferences = (gallery: Gallery, field: string): MediaReference[] =>
  (gallery ?? []).flatMap((item, index) => (item?.mediaId ? [{ field: `${field}.${index}`, item }] : []));

export const findBlockMediaReferences = (blocks: readonly Block[] | undefined): MediaReference[] =>
  (blocks ?? []).flatMap(({ type, value }, index) => {
    if (type !== 'MEDIA' || !value) return [];
    const field = `blocks.${index}.value`;
    if (Array.isArray(value)) return findGalleryMediaReferences(value as Media[], field);
    const item = value as Media;
    return item.mediaId ? [{ field, item }] : [];
  });

interface File {
  id: string;
  fileName: string;
  mimeType: string;
  width: number | null;
  height: number | null;
  widths: number[];
  alt: string;
}

/** Until the transaction ends, none of them can be deleted. */
const usable = `select id, file_name as "fileName", mime_type as "mimeType", width, height, widths, alt from media
  where business_id = $1 and id = any($2::uuid[]) and state in ('PROCESSING', 'READY') order by id for key share`;

/** Fills in what the files say. What is not a file of the business, uploaded by now, is told. */
export async function fillMediaReferences(
  { config }: { config: Pick<Config, 'publicUrl'> },
  tx: Queries,
  businessId: string,
  named: readonly MediaReference[],
): Promise<ErrorDetail[]> {
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ item }) => item.mediaId))];
  const files = new Map((await tx.sql<File>(usable, [businessId, ids])).map((file) => [file.id, file]));
  return named.flatMap(({ field, item }) => {
    const file = files.get(item.mediaId ?? '');
    if (!file) return [unknown(`${field}.mediaId`)];
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

const unknown = (field: string): ErrorDetail => ({
  field,
  error: 'MEDIA_NOT_FOUND',
  message: 'The business has no such file, or it is not there yet.',
});
