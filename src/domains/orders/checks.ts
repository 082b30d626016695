/** What an order sent by staff must look like, and how orders are filtered. */
import { z } from 'zod';
import { currency, instead, money, optional, pageFields, requiredText, text } from '../../lib/input.ts';
import { canonicalLocale } from '../../lib/languages.ts';
import { answeredBlocksCheck } from '../blocks/checks.ts';
import { statusChangeCheck, statusHistoryCheck } from '../shared/checks.ts';
import { postalAddressCheck } from '../shared/postal-address.ts';
import { lineTypes } from './model.ts';
import type { RefundWish } from './refund-rules.ts';
import { orderStatuses, paymentStatuses } from './transitions.ts';

const maxLines = 500;

/** An empty text on the wire means that there is none. */
export const optionalText = (max: number) =>
  optional(text(max)).transform((value) => value?.trim() || undefined);

export const quantity = z
  .number()
  .int('Must be a whole number.')
  .min(1, 'Must be at least 1.')
  .max(1_000_000, 'Must be at most 1000000.');

/** Ids are written in lower case everywhere but, now and then, in requests. */
const recordId = requiredText(200).transform((id) => id.toLowerCase());

export const cartLine = z.object({
  type: optional(z.enum(lineTypes)),
  productId: recordId,
  variantId: recordId,
  quantity,
});

export const linesOf = <Line extends z.ZodType>(line: Line) =>
  z.array(line).min(1, 'Must have at least one line.').max(maxLines, `Must have at most ${maxLines} lines.`);

const orderLine = cartLine.extend({ unitPrice: optional(money), totalPrice: optional(money) });

export type OrderLineInput = z.output<typeof orderLine>;

/** Kept as it is written everywhere. */
export const localeCheck = optionalText(100).transform((sent, ctx) => {
  const locale = sent === undefined ? undefined : canonicalLocale(sent);
  if (sent !== undefined && locale === undefined)
    ctx.addIssue({
      code: 'custom',
      message: 'Must be a locale, such as de or de-AT.',
      params: { error: 'INVALID_LOCALE' },
    });
  return locale;
});

/** What staff may say of an order, beside its lines. */
export const orderFields = {
  customerId: optionalText(200),
  market: optionalText(50),
  currency: optional(currency),
  subtotal: optional(money),
  tax: optional(money),
  shipping: optional(money),
  discount: optional(money),
  total: optional(money),
  promoCode: optionalText(100),
  shippingMethodId: optionalText(100),
  blocks: optional(answeredBlocksCheck),
  shippingAddress: optional(postalAddressCheck),
  billingAddress: optional(postalAddressCheck),
  locale: localeCheck,
  statuses: optional(statusHistoryCheck(orderStatuses)),
  status: optional(z.enum(orderStatuses)),
  paymentStatus: optional(statusHistoryCheck(paymentStatuses)),
};

export const createOrderCheck = z.object({
  businessId: z.string(),
  input: z.object({ ...orderFields, lines: linesOf(orderLine) }),
});

export const orderAddress = { businessId: z.string(), id: z.string(), version: optional(z.number().int()) };

/** Whether a cancelled order sends its money back. Default: yes. */
const refund = optional(z.boolean());

export const updateOrderCheck = z.object({
  ...orderAddress,
  refund,
  input: z.object({ ...orderFields, lines: optional(linesOf(orderLine)) }),
});

export const orderStatusCheck = z.object({
  ...orderAddress,
  refund,
  input: statusChangeCheck(orderStatuses),
});
export const paymentStatusCheck = z.object({ ...orderAddress, input: statusChangeCheck(paymentStatuses) });

const refundAmount = money.min(1, 'Must be at least 1.');
/** Units of lines, by the position of the line. */
export const unitsCheck = linesOf(
  z.object({ line: z.number().int().min(0, 'Must not be negative.'), quantity }),
);

/** One of them, as GraphQL makes sure. */
const refundOf = z.object({
  rest: optional(z.literal(true, 'Must be true.')),
  lines: optional(unitsCheck),
  sum: optional(z.object({ amount: refundAmount, lines: optional(unitsCheck) })),
});

export const refundCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z
    .object({
      of: optional(refundOf),
      amount: optional(refundAmount),
      lines: optional(unitsCheck),
      restock: optional(z.boolean()),
      reason: optionalText(500),
    })
    .superRefine(instead('of', 'amount', 'lines'), { when: () => true })
    .transform(({ of, ...input }): RefundWish & Pick<typeof input, 'reason'> => ({
      ...input,
      ...(of && wishOf(of)),
    })),
});

/** What is asked for in the form of `of`, and how its parts are called there. */
function wishOf({ lines, sum }: z.output<typeof refundOf>): RefundWish {
  if (sum) return { ...sum, named: { amount: 'of.sum.amount', lines: 'of.sum.lines' } };
  return { lines, named: { amount: 'of', lines: 'of.lines' } };
}

export const retryRefundCheck = z.object({ businessId: z.string(), id: z.string(), refundId: z.string() });

export const paymentLinkCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  input: z.object({ returnUrl: optionalText(2048), cancelUrl: optionalText(2048) }),
});

export const refundListCheck = z.object({ businessId: z.string(), id: z.string(), ...pageFields });

export type PaymentLinkRequest = z.output<typeof paymentLinkCheck>;
export type RefundList = z.output<typeof refundListCheck>;
export type CreateOrder = z.output<typeof createOrderCheck>;
export type UpdateOrder = z.output<typeof updateOrderCheck>;
export type SetOrderStatus = z.output<typeof orderStatusCheck>;
export type SetPaymentStatus = z.output<typeof paymentStatusCheck>;
export type RetryRequest = z.output<typeof retryRefundCheck>;
export type RefundRequest = z.output<typeof refundCheck>;
