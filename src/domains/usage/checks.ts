/** What callers who ask for usage must send. */
import { z } from 'zod';
import { optional } from '../../lib/input.ts';
import { usageKinds } from '../../ports/usage.ts';

/** As long as counts are kept. */
export const mostDays = 90;
export const standardDays = 30;

export const usageCheck = z.object({
  businessId: z.string(),
  days: optional(z.number().int().min(1).max(mostDays)).transform((days) => days ?? standardDays),
  kind: optional(z.enum(usageKinds)),
});

export type UsageAsked = z.output<typeof usageCheck>;
