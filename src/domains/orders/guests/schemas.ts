/** Zod schemas of order links. */
import { z } from 'zod';
import { emailSchema } from '../../users/schemas.ts';

export const revokeOrderLinksSchema = z.object({ businessId: z.string(), id: z.string() });

/** The largest number that the column can store. */
const maxNumber = 2_147_483_647;

export const sendOrderLinkSchema = z.object({
  businessId: z.string(),
  input: z.object({
    number: z.number().int().min(1, 'Must be at least 1.').max(maxNumber, `Must be at most ${maxNumber}.`),
    email: emailSchema,
  }),
});

export type SendOrderLinkArgs = z.output<typeof sendOrderLinkSchema>;
export type RevokeOrderLinksArgs = z.output<typeof revokeOrderLinksSchema>;
