/** What an order that was placed elsewhere must look like. */
import { z } from 'zod';
import { money, optional, rule } from '../../lib/input.ts';
import { now } from '../../lib/time.ts';
import { emailCheck } from '../users/checks.ts';
import { linesOf, optionalText, orderFields, quantity } from './checks.ts';
import { lineTypes } from './model.ts';
import { paymentStatuses } from './transitions.ts';

const line = z.object({
  type: optional(z.enum(lineTypes)),
  variantId: optionalText(200).transform((id) => id?.toLowerCase()),
  sku: optionalText(100),
  name: optionalText(500),
  variantName: optionalText(200),
  quantity,
  unitPrice: money,
  totalPrice: optional(money),
});

const { statuses: _history, ...fields } = orderFields;

const input = z
  .object({
    ...fields,
    id: optionalText(200),
    externalReference: optionalText(200),
    email: optional(emailCheck),
    paymentStatus: optional(z.enum(paymentStatuses)),
    placedAt: optional(
      z
        .number()
        .int()
        .min(0, 'Must not be negative.')
        .refine((at) => at <= now(), rule('TOO_BIG', 'Must not be in the future.')),
    ),
    lines: linesOf(line),
  })
  .refine(({ externalReference, id }) => externalReference !== undefined || id !== undefined, {
    ...rule('REQUIRED', 'Say what it was known by, so that it comes in once.'),
    path: ['externalReference'],
    when: () => true,
  });

export const importOrderCheck = z.object({ businessId: z.string(), input });

export type ImportOrder = z.output<typeof importOrderCheck>;
export type ImportedLine = z.output<typeof line>;
