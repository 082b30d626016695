/** The page on which an order is paid. */

import type { Context } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import type { PaymentLine } from '../../ports/payments.ts';
import { businessName } from '../businesses/businesses.ts';
import { findAttempt } from '../payments/attempts.ts';
import type { Attempt } from '../payments/model.ts';
import { makePage } from '../payments/page.ts';
import { type ReturnUrls, returningFrom } from '../payments/return-urls.ts';
import { loadContacts } from '../users/contacts.ts';
import type { Order } from './model.ts';
import { readOrder } from './store.ts';

export interface Payable {
  order: Order;
  /** Absent when there is nothing to pay. */
  attempt: Attempt | undefined;
  /** The name of the business, for the payment page. */
  merchant: string;
}

export async function readPayable(ctx: Context, orderId: string, reference: string): Promise<Payable> {
  const order = await readOrder(ctx.db, orderId);
  if (!order) throw notFound('Order');
  const attempt = await findAttempt(ctx.db, reference);
  return { order, attempt, merchant: await businessName(ctx.db, order.businessId) };
}

/** Returns where to pay. The attempt may have been opened before, by a request whose process died. */
export async function openPage(
  ctx: Context,
  { order, merchant }: Payable,
  attempt: Attempt,
  urls: ReturnUrls,
): Promise<string> {
  if (attempt.url !== undefined) return attempt.url;
  if (attempt.state !== 'NEW') throw tooLate();
  const url = await makePage(ctx, attempt, {
    merchant,
    title: titleOf(order),
    lines: paymentLines(order, attempt.amount),
    ...returningFrom(urls, 'orderId', order.id),
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
    : (await loadContacts(ctx.db, [customerId])).get(customerId)?.email;

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
