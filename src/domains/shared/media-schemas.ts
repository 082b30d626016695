/** What media items and their addresses must look like. */
import { v5 } from 'uuid';
import { z } from 'zod';
import { isId } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { optionalInput, requiredTextSchema, textSchema, withDetailCode } from '../../lib/validation/input.ts';
import type { Media } from './model.ts';

/** Absolute http(s) or relative; never a scheme that a browser would run. */
export const mediaUrlSchema = requiredTextSchema(2048).refine(
  (value) => !/^[a-z][a-z0-9+.-]*:/i.test(value.replace(/[\s\p{Cc}]/gu, '')) || /^https?:\/\//i.test(value),
  withDetailCode('INVALID_URL', 'Must be an http(s) address or a relative path.'),
);

const [id, alt, mimeType] = [
  optionalInput(requiredTextSchema(200)),
  optionalInput(textSchema(1000)),
  requiredTextSchema(200),
];

const withoutEmpty = <Item extends { alt?: string | undefined }>({ alt, ...item }: Item) =>
  alt ? { ...item, alt } : item;

/** An id that is not given is made from the address: the same request says the same thing when it is sent again. */
export const mediaSchema = z
  .object({ id, url: mediaUrlSchema, mimeType, alt })
  .transform(({ id, ...media }): Media => withoutEmpty({ id: id ?? v5(media.url, v5.URL), ...media }));

const uploaded = z
  .object({
    id,
    mediaId: z.string().refine(isId, withDetailCode('MEDIA_NOT_FOUND', 'The business has no such file.')),
    alt,
  })
  .transform(
    ({ id, mediaId, alt }): Media =>
      withoutEmpty({
        id: id ?? mediaId.toLowerCase(),
        ...{ url: '', mimeType: '', mediaId: mediaId.toLowerCase(), alt },
      }),
  );

const isUploaded = (item: unknown): boolean => isPlainObject(item) && item.mediaId != null;

/** Where an uploaded file may be named instead: whoever writes the record looks it up (domains/media/media-references.ts). */
export const mediaReferenceSchema = z.unknown().transform((item, ctx): Media => {
  const checked = (isUploaded(item) ? uploaded : mediaSchema).safeParse(item);
  if (checked.success) return checked.data;
  ctx.issues.push(...(checked.error.issues as z.core.$ZodRawIssue[]));
  return z.NEVER;
});

export const gallerySchema = z.array(mediaReferenceSchema).max(100, 'Must have at most 100 items.');
