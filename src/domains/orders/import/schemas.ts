/** Zod schemas of imported orders. */
import { z } from 'zod';
import { now } from '../../../lib/time.ts';
import { detailCodeRefineOptions, moneySchema, optionalInput } from '../../../lib/validation/input.ts';
import { emailSchema } from '../../users/schemas.ts';
import { orderLineTypes } from '../model.ts';
import {
  buildOptionalTextSchema,
  buildOrderLinesSchema,
  orderSchemaFields,
  quantitySchema,
} from '../schemas.ts';
import { paymentStatuses } from '../status-transitions.ts';

const line = z.object({
  type: optionalInput(z.enum(orderLineTypes)),
  variantId: buildOptionalTextSchema(200).transform((id) => id?.toLowerCase()),
  sku: buildOptionalTextSchema(100),
  name: buildOptionalTextSchema(500),
  variantName: buildOptionalTextSchema(200),
  quantity: quantitySchema,
  unitPrice: moneySchema,
  totalPrice: optionalInput(moneySchema),
});

const { statuses: _history, ...fields } = orderSchemaFields;

const input = z
  .object({
    ...fields,
    id: buildOptionalTextSchema(200),
    externalReference: buildOptionalTextSchema(200),
    email: optionalInput(emailSchema),
    paymentStatus: optionalInput(z.enum(paymentStatuses)),
    placedAt: optionalInput(
      z
        .number()
        .int()
        .min(0, 'Must not be negative.')
        .refine((at) => at <= now(), detailCodeRefineOptions('TOO_BIG', 'Must not be in the future.')),
    ),
    lines: buildOrderLinesSchema(line),
  })
  .refine(({ externalReference, id }) => externalReference !== undefined || id !== undefined, {
    ...detailCodeRefineOptions(
      'REQUIRED',
      'Send the id of the order in the other system, so that it is imported only once.',
    ),
    path: ['externalReference'],
    when: () => true,
  });

export const importOrderSchema = z.object({ businessId: z.string(), input });

export type ImportOrderArgs = z.output<typeof importOrderSchema>;
export type ImportedOrderLine = z.output<typeof line>;
