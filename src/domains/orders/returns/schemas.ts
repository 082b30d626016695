/** Zod schemas of returns. */
import { z } from 'zod';
import { buildRequiredTextSchema, moneySchema, optionalInput } from '../../../lib/validation/input.ts';
import {
  buildOptionalTextSchema,
  buildOrderLinesSchema,
  orderRefFields,
  quantitiesAtLineIndexesSchema,
} from '../schemas.ts';

const returnRefFields = { businessId: z.string(), id: z.string(), returnId: z.string() };

export const requestReturnSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({ lines: quantitiesAtLineIndexesSchema, reason: buildOptionalTextSchema(1000) }),
});

export const acceptReturnSchema = z.object({
  ...orderRefFields,
  ...returnRefFields,
  input: z.object({
    restock: optionalInput(z.boolean()),
    lines: optionalInput(
      buildOrderLinesSchema(
        z.object({
          line: z.number().int().min(0, 'Must not be negative.'),
          quantity: optionalInput(z.number().int().min(0, 'Must not be negative.')),
          restock: optionalInput(z.boolean()),
        }),
      ),
    ),
    refusal: optionalInput(buildRequiredTextSchema(1000)),
    refund: optionalInput(moneySchema),
  }),
});

export const refuseReturnSchema = z.object({
  ...orderRefFields,
  ...returnRefFields,
  input: z.object({ reason: buildRequiredTextSchema(1000) }),
});

export const withdrawReturnSchema = z.object(returnRefFields);

export type RequestReturnArgs = z.output<typeof requestReturnSchema>;
export type AcceptReturnArgs = z.output<typeof acceptReturnSchema>;
export type RefuseReturnArgs = z.output<typeof refuseReturnSchema>;
export type WithdrawReturnArgs = z.output<typeof withdrawReturnSchema>;
