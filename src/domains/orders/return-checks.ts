/** What customers may ask to give back, and what staff may answer. */
import { z } from 'zod';
import { money, optional, requiredText } from '../../lib/input.ts';
import { linesOf, optionalText, orderAddress, unitsCheck } from './checks.ts';

const address = { businessId: z.string(), id: z.string(), returnId: z.string() };

export const requestReturnCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({ lines: unitsCheck, reason: optionalText(1000) }),
});

export const acceptReturnCheck = z.object({
  ...orderAddress,
  ...address,
  input: z.object({
    restock: optional(z.boolean()),
    lines: optional(
      linesOf(
        z.object({
          line: z.number().int().min(0, 'Must not be negative.'),
          quantity: optional(z.number().int().min(0, 'Must not be negative.')),
          restock: optional(z.boolean()),
        }),
      ),
    ),
    refusal: optional(requiredText(1000)),
    refund: optional(money),
  }),
});

export const refuseReturnCheck = z.object({
  ...orderAddress,
  ...address,
  input: z.object({ reason: requiredText(1000) }),
});

export const withdrawReturnCheck = z.object(address);

export type RequestReturn = z.output<typeof requestReturnCheck>;
export type AcceptReturn = z.output<typeof acceptReturnCheck>;
export type RefuseReturn = z.output<typeof refuseReturnCheck>;
export type WithdrawReturn = z.output<typeof withdrawReturnCheck>;
