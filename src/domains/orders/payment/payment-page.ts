/** The page on which an order is paid. */

import type { Context } from '../../../context.ts';
import { AppError, notFoundError } from '../../../errors.ts';
import type { PaymentLine } from '../../../ports/payments.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { openCheckoutSession } from '../../payments/checkout-session.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { findAttemptByReference } from '../../payments/payment-attempts.ts';
import { addSubjectToReturnUrls, type ReturnUrls } from '../../payments/return-urls.ts';
import { loadContactDetails } from '../../users/people/contact-details.ts';
import type { Order } from '../model.ts';
import { readOrder } from '../store.ts';

export interface PayableOrder {
  order: Order;
  /** Absent when there is nothing to pay. */
  attempt: PaymentAttempt | undefined;
  /** The name of the business, for the payment page. */
  merchant: string;
}

export async function readPayableOrder(
  ctx: Context,
  orderId: string,
  reference: string,
): Promise<PayableOrder> {
  const order = await readOrder(ctx.db, orderId);
  if (!order) throw notFoundError('Order');
  const attempt = await findAttemptByReference(ctx.db, reference);
  return { order, attempt, merchant: await loadBusinessName(ctx.db, order.businessId) };
}

/** Returns where to pay. The attempt may have been opened before, by a request whose process died. */
export async function openOrderPaymentPage(
  ctx: Context,
  { order, merchant }: PayableOrder,
  attempt: PaymentAttempt,
  urls: ReturnUrls,
): Promise<string> {
  if (attempt.url !== undefined) return attempt.url;
  if (attempt.state !== 'NEW') throw tooLate();
  const url = await openCheckoutSession(ctx, attempt, {
    merchant,
    title: titleOf(order),
    lines: paymentLines(order, attempt.amount),
    ...addSubjectToReturnUrls(urls, 'orderId', order.id),
    customerEmail: await emailOf(ctx, order.customerId),
  });
  if (url === undefined) throw tooLate();
  return url;
}

const tooLate = () =>
  new AppError('CONFLICT', 'This order can no longer be paid. Check out again under a new Idempotency-Key.');

/** Guests give no address. */
const emailOf = async (ctx: Context, customerId: string | undefined): Promise<string | undefined> =>
  customerId === undefined || ctx.viewer.user?.isGuest
    ? undefined
    : (await loadContactDetails(ctx.db, [customerId])).get(customerId)?.email;

const titleOf = ({ number }: Order): string => `Order ${number}`;

/** Lines that add up to the amount: goods without their discount, then tax and shipping; or one line for a part of it. */
function paymentLines(order: Order, amount: number): PaymentLine[] {
  if (amount !== order.total) return [{ name: titleOf(order), quantity: 1, amount }];
  const goods = order.lines.map(({ name, variantName, quantity, totalPrice, discount }) => ({
    name: variantName ? `${name}, ${variantName}` : name,
    quantity,
    amount: totalPrice - discount,
  }));
  const extras = [
    { name: 'Tax', quantity: 1, amount: order.tax },
    { name: 'Shipping', quantity: 1, amount: order.shipping },
  ];
  return [...goods, ...extras.filter((extra) => extra.amount > 0)];
}
