/** Zod schemas for the arguments of order mutations and of `refunds`. */
import { z } from 'zod';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  currencySchema,
  moneySchema,
  optionalInput,
  pageArgSchemas,
  refineMutuallyExclusive,
} from '../../lib/validation/input.ts';
import { customerBlocksSchema } from '../blocks/schemas.ts';
import { postalAddressSchema } from '../shared/postal-address-schema-and-rules.ts';
import {
  buildStatusChangeSchema,
  buildStatusHistorySchema,
  localeSchema,
} from '../shared/status-and-locale-schemas.ts';
import { emailSchema, phoneSchema } from '../users/schemas.ts';
import { orderLineTypes } from './model.ts';
import type { RequestedRefund } from './refunds/refund-rules.ts';
import { orderStatuses, paymentStatuses } from './status-transitions.ts';

const maxLines = 500;

/** Trimmed text; an empty string counts as absent. */
export const buildOptionalTextSchema = (max: number) =>
  optionalInput(buildTextSchema(max)).transform((value) => value?.trim() || undefined);

export const quantitySchema = z
  .number()
  .int('Must be a whole number.')
  .min(1, 'Must be at least 1.')
  .max(1_000_000, 'Must be at most 1000000.');

/** Clients may send UUIDs in upper case; stored ids are lower case. */
const recordId = buildRequiredTextSchema(200).transform((id) => id.toLowerCase());

export const cartLineSchema = z.object({
  type: optionalInput(z.enum(orderLineTypes)),
  productId: recordId,
  variantId: recordId,
  quantity: quantitySchema,
});

export const buildOrderLinesSchema = <Line extends z.ZodType>(line: Line) =>
  z.array(line).min(1, 'Must have at least one line.').max(maxLines, `Must have at most ${maxLines} lines.`);

const orderLineSchema = cartLineSchema.extend({
  unitPrice: optionalInput(moneySchema),
  totalPrice: optionalInput(moneySchema),
});

export type OrderLineArgs = z.output<typeof orderLineSchema>;

export const optionalLocaleSchema = buildOptionalTextSchema(100).pipe(localeSchema.optional());

/** Input fields of an order, except its lines. */
export const orderSchemaFields = {
  customerId: buildOptionalTextSchema(200),
  market: buildOptionalTextSchema(50),
  currency: optionalInput(currencySchema),
  subtotal: optionalInput(moneySchema),
  tax: optionalInput(moneySchema),
  shipping: optionalInput(moneySchema),
  discount: optionalInput(moneySchema),
  total: optionalInput(moneySchema),
  promoCode: buildOptionalTextSchema(100),
  shippingMethodId: buildOptionalTextSchema(100),
  blocks: optionalInput(customerBlocksSchema),
  shippingAddress: optionalInput(postalAddressSchema),
  billingAddress: optionalInput(postalAddressSchema),
  contactEmail: optionalInput(emailSchema),
  contactPhone: optionalInput(phoneSchema),
  locale: optionalLocaleSchema,
  statuses: optionalInput(buildStatusHistorySchema(orderStatuses)),
  status: optionalInput(z.enum(orderStatuses)),
  paymentStatus: optionalInput(buildStatusHistorySchema(paymentStatuses)),
};

export const createOrderSchema = z.object({
  businessId: z.string(),
  input: z.object({ ...orderSchemaFields, lines: buildOrderLinesSchema(orderLineSchema) }),
});

export const orderRefFields = {
  businessId: z.string(),
  id: z.string(),
  version: optionalInput(z.number().int()),
};

/** Whether cancelling the order refunds its payments. Default: true. */
const refund = optionalInput(z.boolean());

export const updateOrderSchema = z.object({
  ...orderRefFields,
  refund,
  input: z.object({ ...orderSchemaFields, lines: optionalInput(buildOrderLinesSchema(orderLineSchema)) }),
});

export const setOrderStatusSchema = z.object({
  ...orderRefFields,
  refund,
  input: buildStatusChangeSchema(orderStatuses),
});
export const setPaymentStatusSchema = z.object({
  ...orderRefFields,
  input: buildStatusChangeSchema(paymentStatuses),
});

const refundAmount = moneySchema.min(1, 'Must be at least 1.');
/** Units of order lines; `line` is the index of the line, from 0. */
export const quantitiesAtLineIndexesSchema = buildOrderLinesSchema(
  z.object({ line: z.number().int().min(0, 'Must not be negative.'), quantity: quantitySchema }),
);

/** `@oneOf` input: GraphQL guarantees that exactly one field is set. */
const refundOf = z.object({
  rest: optionalInput(z.literal(true, 'Must be true.')),
  lines: optionalInput(quantitiesAtLineIndexesSchema),
  sum: optionalInput(z.object({ amount: refundAmount, lines: optionalInput(quantitiesAtLineIndexesSchema) })),
});

export const refundOrderSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z
    .object({
      of: optionalInput(refundOf),
      amount: optionalInput(refundAmount),
      lines: optionalInput(quantitiesAtLineIndexesSchema),
      restock: optionalInput(z.boolean()),
      reason: buildOptionalTextSchema(500),
    })
    .superRefine(refineMutuallyExclusive('of', 'amount', 'lines'), { when: () => true })
    .transform(({ of, ...input }): RequestedRefund & Pick<typeof input, 'reason'> => ({
      ...input,
      ...(of && toRefundSpec(of)),
    })),
});

/** Converts the `of` input. `named` holds the field paths for validation errors. */
function toRefundSpec({ lines, sum }: z.output<typeof refundOf>): RequestedRefund {
  if (sum) return { ...sum, named: { amount: 'of.sum.amount', lines: 'of.sum.lines' } };
  return { lines, named: { amount: 'of', lines: 'of.lines' } };
}

export const retryRefundSchema = z.object({ businessId: z.string(), id: z.string(), refundId: z.string() });

export const createPaymentLinkSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({ returnUrl: buildOptionalTextSchema(2048), cancelUrl: buildOptionalTextSchema(2048) }),
});

export const listRefundsSchema = z.object({ businessId: z.string(), id: z.string(), ...pageArgSchemas });

export type CreatePaymentLinkArgs = z.output<typeof createPaymentLinkSchema>;
export type ListRefundsArgs = z.output<typeof listRefundsSchema>;
export type CreateOrderArgs = z.output<typeof createOrderSchema>;
export type UpdateOrderArgs = z.output<typeof updateOrderSchema>;
export type SetOrderStatusArgs = z.output<typeof setOrderStatusSchema>;
export type SetPaymentStatusArgs = z.output<typeof setPaymentStatusSchema>;
export type RetryRefundArgs = z.output<typeof retryRefundSchema>;
export type RefundOrderArgs = z.output<typeof refundOrderSchema>;
