/** zod schema of the usage query. */
import { z } from 'zod';
import { optionalInput } from '../../lib/validation/input.ts';
import { usageKinds } from '../../ports/usage.ts';

/** Equals the retention of usage counts. */
export const maxUsageDays = 90;
export const defaultUsageDays = 30;

export const listApiUsageSchema = z.object({
  businessId: z.string(),
  days: optionalInput(z.number().int().min(1).max(maxUsageDays)).transform(
    (days) => days ?? defaultUsageDays,
  ),
  kind: optionalInput(z.enum(usageKinds)),
});

export type ListApiUsageArgs = z.output<typeof listApiUsageSchema>;
