/** zod schemas of media items and their URLs. */
import { v5 } from 'uuid';
import { z } from 'zod';
import { isId } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
} from '../../lib/validation/input.ts';
import type { MediaItem } from './media-and-status-history-types.ts';

/** Absolute http(s) URL or relative path; rejects executable schemes such as `javascript:`. */
const mediaUrlSchema = buildRequiredTextSchema(2048).refine(
  (value) => !/^[a-z][a-z0-9+.-]*:/i.test(value.replace(/[\s\p{Cc}]/gu, '')) || /^https?:\/\//i.test(value),
  detailCodeRefineOptions('INVALID_URL', 'Must be an http(s) address or a relative path.'),
);

const [id, alt, mimeType] = [
  optionalInput(buildRequiredTextSchema(200)),
  optionalInput(buildTextSchema(1000)),
  buildRequiredTextSchema(200),
];

const omitEmptyAlt = <Item extends { alt?: string | undefined }>({ alt, ...item }: Item) =>
  alt ? { ...item, alt } : item;

/** The default id is a UUIDv5 of the URL, so that repeating a request gives the same result. */
export const mediaByUrlSchema = z
  .object({ id, url: mediaUrlSchema, mimeType, alt })
  .transform(({ id, ...media }): MediaItem => omitEmptyAlt({ id: id ?? v5(media.url, v5.URL), ...media }));

const uploadedMediaSchema = z
  .object({
    id,
    mediaId: z
      .string()
      .refine(isId, detailCodeRefineOptions('MEDIA_NOT_FOUND', 'The business has no such file.')),
    alt,
  })
  .transform(
    ({ id, mediaId, alt }): MediaItem =>
      omitEmptyAlt({
        id: id ?? mediaId.toLowerCase(),
        ...{ url: '', mimeType: '', mediaId: mediaId.toLowerCase(), alt },
      }),
  );

const isUploaded = (item: unknown): boolean => isPlainObject(item) && item.mediaId != null;

/** Accepts either a URL with its media type or the id of an uploaded file, which the writer of the record resolves (see domains/media). */
export const mediaReferenceSchema = z.unknown().transform((item, ctx): MediaItem => {
  const parsed = (isUploaded(item) ? uploadedMediaSchema : mediaByUrlSchema).safeParse(item);
  if (parsed.success) return parsed.data;
  ctx.issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]));
  return z.NEVER;
});

export const gallerySchema = z.array(mediaReferenceSchema).max(100, 'Must have at most 100 items.');
