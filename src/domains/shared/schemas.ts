/** zod schemas shared by several domains. */
import { z } from 'zod';
import { canonicalizeLocale } from '../../lib/text/locales.ts';
import { buildRequiredTextSchema, optionalInput } from '../../lib/validation/input.ts';
import { statusActorKinds } from './media-and-status-history-types.ts';

export const buildStatusChangeSchema = <const Status extends readonly [string, ...string[]]>(
  statuses: Status,
) =>
  z.object({
    id: optionalInput(buildRequiredTextSchema(200)),
    status: z.enum(statuses),
    changedBy: optionalInput(z.enum(statusActorKinds)),
    userId: optionalInput(buildRequiredTextSchema(200)),
    timestamp: optionalInput(z.number().int().min(0)),
  });

export const buildStatusHistorySchema = <const Status extends readonly [string, ...string[]]>(
  statuses: Status,
) => z.array(buildStatusChangeSchema(statuses)).max(100, 'Must have at most 100 entries.');

/** Canonical form of a locale: `de-at` becomes `de-AT`. */
export const localeSchema = z
  .string()
  .max(100, 'Must be at most 100 characters.')
  .transform((input, ctx) => {
    const locale = canonicalizeLocale(input);
    if (locale !== undefined) return locale;
    ctx.addIssue({
      code: 'custom',
      message: 'Must be a locale, such as de or de-AT.',
      params: { error: 'INVALID_LOCALE' },
    });
    return z.NEVER;
  });
