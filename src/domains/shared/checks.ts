/** zod checks for the shapes that several domains share. */
import { z } from 'zod';
import { newId } from '../../lib/ids.ts';
import { distinct, optional, requiredText, rule, text } from '../../lib/input.ts';
import { blockTypes, changers } from './model.ts';

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

export const blockCheck = z.object({
  id: requiredText(200),
  type: z.enum(blockTypes),
  label: optional(text(500)),
  required: optional(z.boolean()),
  settings: optional(
    z.object({
      maxLength: optional(z.number().int().min(1, 'Must be at least 1.')),
      variant: optional(text(50)),
      targetType: optional(text(50)),
      options: optional(z.array(requiredText(200)).max(500)),
    }),
  ),
  value: z.unknown(),
});

export const blocksCheck = distinct(
  z.array(blockCheck).max(200, 'Must have at most 200 blocks.'),
  'id',
  'DUPLICATE_BLOCK',
  'Each block id may occur once.',
);

export const statusChangeCheck = <const Status extends readonly [string, ...string[]]>(statuses: Status) =>
  z.object({
    id: optional(requiredText(200)),
    status: z.enum(statuses),
    changedBy: optional(z.enum(changers)),
    userId: optional(requiredText(200)),
    timestamp: optional(z.number().int().min(0)),
  });

export const statusHistoryCheck = <const Status extends readonly [string, ...string[]]>(statuses: Status) =>
  z.array(statusChangeCheck(statuses)).max(100, 'Must have at most 100 entries.');
