/** Zod schemas of imported orders. */
import { z } from 'zod';
import { now } from '../../../lib/time.ts';
import { moneySchema, optionalInput, withDetailCode } from '../../../lib/validation/input.ts';
import { emailSchema } from '../../users/schemas.ts';
import { lineTypes } from '../model.ts';
import { linesSchema, optionalText, orderSchemaFields, quantitySchema } from '../schemas.ts';
import { paymentStatuses } from '../status-transitions.ts';

const line = z.object({
  type: optionalInput(z.enum(lineTypes)),
  variantId: optionalText(200).transform((id) => id?.toLowerCase()),
  sku: optionalText(100),
  name: optionalText(500),
  variantName: optionalText(200),
  quantity: quantitySchema,
  unitPrice: moneySchema,
  totalPrice: optionalInput(moneySchema),
});

const { statuses: _history, ...fields } = orderSchemaFields;

const input = z
  .object({
    ...fields,
    id: optionalText(200),
    externalReference: optionalText(200),
    email: optionalInput(emailSchema),
    paymentStatus: optionalInput(z.enum(paymentStatuses)),
    placedAt: optionalInput(
      z
        .number()
        .int()
        .min(0, 'Must not be negative.')
        .refine((at) => at <= now(), withDetailCode('TOO_BIG', 'Must not be in the future.')),
    ),
    lines: linesSchema(line),
  })
  .refine(({ externalReference, id }) => externalReference !== undefined || id !== undefined, {
    ...withDetailCode(
      'REQUIRED',
      'Send the id of the order in the other system, so that it is imported only once.',
    ),
    path: ['externalReference'],
    when: () => true,
  });

export const importOrderSchema = z.object({ businessId: z.string(), input });

export type ImportOrderArgs = z.output<typeof importOrderSchema>;
export type ImportedOrderLine = z.output<typeof line>;
