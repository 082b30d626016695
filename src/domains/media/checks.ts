/** What callers of media must send. */
import { z } from 'zod';
import { optional, pageFields, requiredText, rule, text } from '../../lib/input.ts';
import { mediaStates } from './model.ts';
import { mediaKinds } from './rules.ts';
import { maxSvgBytes } from './svg.ts';

const alt = text(1000);
const version = optional(z.number().int());

/** How large a file may be is a matter of configuration. */
export const createUploadCheck = (maxBytes: number) =>
  z.object({
    businessId: z.string(),
    input: z
      .object({
        fileName: requiredText(255),
        contentType: z
          .string()
          .refine(
            (type) => mediaKinds.some((kind) => kind === type),
            rule('UNSUPPORTED_MEDIA', `Must be one of ${mediaKinds.join(', ')}.`),
          )
          .transform((type) => type as (typeof mediaKinds)[number]),
        size: z
          .number()
          .int()
          .min(1, 'Must be at least 1 byte.')
          .max(maxBytes, `Must be at most ${maxBytes} bytes.`),
        alt: optional(alt),
      })
      .refine(({ contentType, size }) => contentType !== 'image/svg+xml' || size <= maxSvgBytes, {
        path: ['size'],
        ...rule('TOO_BIG', `A drawing must have at most ${maxSvgBytes} bytes.`),
      }),
  });

export const updateMediaCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  version,
  input: z.object({ alt: optional(alt) }),
});

export const mediaAddressCheck = z.object({ businessId: z.string(), id: z.string(), version });

export const mediaListCheck = z.object({
  businessId: z.string(),
  state: optional(z.enum(mediaStates)),
  ...pageFields,
});

export type CreateUpload = z.output<ReturnType<typeof createUploadCheck>>;
export type UpdateMedia = z.output<typeof updateMediaCheck>;
export type MediaAddress = z.output<typeof mediaAddressCheck>;
export type MediaList = z.output<typeof mediaListCheck>;
