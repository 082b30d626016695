/** What media items and their addresses must look like. */
import { v5 } from 'uuid';
import { z } from 'zod';
import { optional, requiredText, rule } from '../../lib/input.ts';

/** Absolute http(s) or relative; never a scheme that a browser would run. */
export const url = requiredText(2048).refine(
  (value) => !/^[a-z][a-z0-9+.-]*:/i.test(value.replace(/[\s\p{Cc}]/gu, '')) || /^https?:\/\//i.test(value),
  rule('INVALID_URL', 'Must be an http(s) address or a relative path.'),
);

/** An id that is not given is made from the address: the same request says the same thing when it is sent again. */
export const mediaCheck = z
  .object({ id: optional(requiredText(200)), url, mimeType: requiredText(200) })
  .transform(({ id, ...media }) => ({ id: id ?? v5(media.url, v5.URL), ...media }));

export const galleryCheck = z.array(mediaCheck).max(100, 'Must have at most 100 items.');
