/** What media items and their addresses must look like. */
import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { optional, requiredText, rule } from '../../lib/input.ts';

/** Absolute http(s) or relative; never a scheme that a browser would run. */
export const url = requiredText(2048).refine(
  (value) => !/^[a-z][a-z0-9+.-]*:/i.test(value.replace(/[\s\p{Cc}]/gu, '')) || /^https?:\/\//i.test(value),
  rule('INVALID_URL', 'Must be an http(s) address or a relative path.'),
);

export const mediaCheck = z.object({
  id: optional(requiredText(200)).transform((id) => id ?? newId()),
  url,
  mimeType: requiredText(200),
});

export const galleryCheck = z.array(mediaCheck).max(100, 'Must have at most 100 items.');
