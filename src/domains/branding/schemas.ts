/** Zod schemas of branding. */
import { z } from 'zod';
import { isId } from '../../lib/ids.ts';
import {
  buildRequiredTextSchema,
  detailCodeRefineOptions,
  optionalInput,
} from '../../lib/validation/input.ts';
import { localeSchema } from '../shared/status-and-locale-schemas.ts';
import { emailSchema } from '../users/schemas.ts';
import { normalizeHexColour } from './colour-contrast.ts';

const colour = buildRequiredTextSchema(7)
  .refine(
    (value) => normalizeHexColour(value) !== undefined,
    detailCodeRefineOptions('INVALID_FORMAT', 'Must be a colour such as #0d6b66.'),
  )
  .transform((value) => normalizeHexColour(value) ?? value);

/** null removes a value, an absent field stays unchanged. */
export const updateBrandingSchema = z.object({
  businessId: z.string(),
  version: optionalInput(z.number().int()),
  input: z.object({
    logoId: z
      .string()
      .refine(isId, detailCodeRefineOptions('MEDIA_NOT_FOUND', 'The business has no such file.'))
      .transform((id) => id.toLowerCase())
      .nullish(),
    accent: colour.nullish(),
    background: colour.nullish(),
    shopUrl: buildRequiredTextSchema(2048).nullish(),
    orderUrl: buildRequiredTextSchema(2048).nullish(),
    replyTo: emailSchema.nullish(),
    defaultLocale: localeSchema.nullish(),
  }),
});
