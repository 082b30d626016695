/** What media items and their addresses must look like. */
import { v5 } from 'uuid';
import { z } from 'zod';
import { isId } from '../../lib/ids.ts';
import { optional, requiredText, rule, text } from '../../lib/input.ts';
import { isObject } from '../../lib/objects.ts';
import type { Media } from './model.ts';

/** Absolute http(s) or relative; never a scheme that a browser would run. */
export const url = requiredText(2048).refine(
  (value) => !/^[a-z][a-z0-9+.-]*:/i.test(value.replace(/[\s\p{Cc}]/gu, '')) || /^https?:\/\//i.test(value),
  rule('INVALID_URL', 'Must be an http(s) address or a relative path.'),
);

const [id, alt, mimeType] = [optional(requiredText(200)), optional(text(1000)), requiredText(200)];

const withoutEmpty = <Item extends { alt?: string | undefined }>({ alt, ...item }: Item) =>
  alt ? { ...item, alt } : item;

/** An id that is not given is made from the address: the same request says the same thing when it is sent again. */
export const mediaCheck = z
  .object({ id, url, mimeType, alt })
  .transform(({ id, ...media }): Media => withoutEmpty({ id: id ?? v5(media.url, v5.URL), ...media }));

const uploaded = z
  .object({
    id,
    mediaId: z.string().refine(isId, rule('MEDIA_NOT_FOUND', 'The business has no such file.')),
    alt,
  })
  .transform(
    ({ id, mediaId, alt }): Media =>
      withoutEmpty({
        id: id ?? mediaId.toLowerCase(),
        ...{ url: '', mimeType: '', mediaId: mediaId.toLowerCase(), alt },
      }),
  );

const isUploaded = (item: unknown): boolean => isObject(item) && item.mediaId != null;

/** Where an uploaded file may be named instead: whoever writes the record looks it up (domains/media/named.ts). */
export const nameableMediaCheck = z.unknown().transform((item, ctx): Media => {
  const checked = (isUploaded(item) ? uploaded : mediaCheck).safeParse(item);
  if (checked.success) return checked.data;
  ctx.issues.push(...(checked.error.issues as z.core.$ZodRawIssue[]));
  return z.NEVER;
});

export const galleryCheck = z.array(nameableMediaCheck).max(100, 'Must have at most 100 items.');
