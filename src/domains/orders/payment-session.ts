/** The page on which an order is paid: made after the order is committed, or else the order is taken back. */

import type { Context } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { forget } from '../../idempotency.ts';
import type { PaymentLine, PaymentSession } from '../../ports/payments.ts';
import { businessName } from '../businesses/businesses.ts';
import { type ReturnUrls, withOrderId } from '../payments/return-urls.ts';
import { systemStamp } from '../shared/history.ts';
import { loadContacts } from '../users/contacts.ts';
import { giveBack, referenceOf } from './cancel.ts';
import type { Order } from './model.ts';
import { lockOrder, readOrder, saveOrder } from './store.ts';
import { currentOf, moveIfAllowed, orderMoves } from './transitions.ts';

export interface Placed {
  order: Order;
  /** The name of the business, for the payment page. */
  merchant: string;
}

/** Returns where to pay. The order has been placed before, perhaps by a request whose process died. */
export async function openSession(
  ctx: Context,
  { order, merchant }: Placed,
  urls: ReturnUrls,
): Promise<string> {
  if (order.paymentUrl !== undefined) return order.paymentUrl;
  if (currentOf(order.statuses) !== 'PENDING') throw tooLate();
  let session: PaymentSession | undefined;
  try {
    session = await ctx.payments.createSession({
      reference: referenceOf(order.id),
      merchant,
      currency: order.currency,
      amount: order.amountDue,
      lines: paymentLines(order),
      expiresAt: order.expiresAt ?? 0,
      returnUrl: withOrderId(urls.returnUrl, order.id),
      cancelUrl: withOrderId(urls.cancelUrl, order.id),
      customerEmail: await emailOf(ctx, order.customerId),
    });
    const [stored] = await ctx.db.sql<{ status: string }>(
      'update orders set payment_session_id = $2, payment_url = $3 where id = $1 returning status',
      [order.id, session.id, session.url],
    );
    if (stored?.status !== 'PENDING') {
      await ctx.payments.expireSession({ reference: referenceOf(order.id), id: session.id });
      throw tooLate();
    }
    return session.url;
  } catch (error) {
    if (error instanceof AppError) throw error;
    ctx.log.error({ err: error, requestId: ctx.request.requestId, orderId: order.id }, 'no payment session');
    const url = await abandon(ctx, order.id, session?.id);
    if (url !== undefined) return url;
    throw new AppError(
      'UNAVAILABLE',
      'The payment provider does not answer. Nothing was ordered, try again.',
      {
        headers: { 'Retry-After': '5' },
        cause: error,
      },
    );
  }
}

export async function readPlaced(ctx: Context, orderId: string): Promise<Placed> {
  const order = await readOrder(ctx.db, orderId);
  if (!order) throw notFound('Order');
  return { order, merchant: await businessName(ctx.db, order.businessId) };
}

const tooLate = () =>
  new AppError('CONFLICT', 'This order can no longer be paid. Check out again under a new Idempotency-Key.');

/**
 * Takes the order back, and lets the same Idempotency-Key try again. Returns the page instead when another request
 * under that key has made it in the meantime.
 */
function abandon(
  ctx: Context,
  orderId: string,
  paymentSessionId: string | undefined,
): Promise<string | undefined> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { id: orderId }, { withStock: true });
    if (!order || order.paymentUrl !== undefined) return order?.paymentUrl;
    await forget(ctx, tx, { orderId });
    if (currentOf(order.statuses) !== 'PENDING') return undefined;
    const statuses = moveIfAllowed(order.statuses, 'CANCELLED', orderMoves, systemStamp);
    const cancelled = await giveBack(ctx, tx, { ...order, statuses, paymentSessionId });
    await saveOrder(ctx, tx, order, cancelled);
    return undefined;
  });
}

/** Guests give no address. */
const emailOf = async (ctx: Context, customerId: string | undefined): Promise<string | undefined> =>
  customerId === undefined || ctx.viewer.user?.isGuest
    ? undefined
    : (await loadContacts(ctx.db, [customerId])).get(customerId)?.email;

/** Lines that add up to what is due: goods without their discount, then tax and shipping. */
function paymentLines(order: Order): PaymentLine[] {
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
