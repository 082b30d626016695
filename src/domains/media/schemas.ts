/** Validation schemas for media arguments. */
import { z } from 'zod';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
  pageArgSchemas,
} from '../../lib/validation/input.ts';
import { mediaStates } from './model.ts';
import { supportedMimeTypes } from './supported-media-types.ts';
import { maxSvgBytes } from './uploads/validate-svg.ts';

const alt = buildTextSchema(1000);
const version = optionalInput(z.number().int());

/** `maxBytes` is the configured maximum file size (MEDIA_MAX_MB). */
export const buildCreateUploadSchema = (maxBytes: number) =>
  z.object({
    businessId: z.string(),
    input: z
      .object({
        fileName: buildRequiredTextSchema(255),
        contentType: z
          .string()
          .refine(
            (type) => supportedMimeTypes.some((supported) => supported === type),
            detailCodeRefineOptions('UNSUPPORTED_MEDIA', `Must be one of ${supportedMimeTypes.join(', ')}.`),
          )
          .transform((type) => type as (typeof supportedMimeTypes)[number]),
        size: z
          .number()
          .int()
          .min(1, 'Must be at least 1 byte.')
          .max(maxBytes, `Must be at most ${maxBytes} bytes.`),
        alt: optionalInput(alt),
      })
      .refine(({ contentType, size }) => contentType !== 'image/svg+xml' || size <= maxSvgBytes, {
        path: ['size'],
        ...detailCodeRefineOptions('TOO_BIG', `An SVG file must have at most ${maxSvgBytes} bytes.`),
      }),
  });

export const updateMediaFileSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  version,
  input: z.object({ alt: optionalInput(alt) }),
});

export const mediaFileRefSchema = z.object({ businessId: z.string(), id: z.string(), version });

export const listMediaFilesSchema = z.object({
  businessId: z.string(),
  state: optionalInput(z.enum(mediaStates)),
  ...pageArgSchemas,
});

export type CreateUploadArgs = z.output<ReturnType<typeof buildCreateUploadSchema>>;
export type UpdateMediaFileArgs = z.output<typeof updateMediaFileSchema>;
export type MediaFileRefArgs = z.output<typeof mediaFileRefSchema>;
export type ListMediaFilesArgs = z.output<typeof listMediaFilesSchema>;
