/** The page on which an order is paid: made after the order is committed, or else the order is taken back. */

import type { Context } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { forget } from '../../idempotency.ts';
import type { PaymentLine, PaymentSession } from '../../ports/payments.ts';
import { giveBack, referenceOf } from '../orders/cancel.ts';
import type { Order } from '../orders/model.ts';
import { lockOrder, readOrder, saveOrder } from '../orders/store.ts';
import { currentOf, moveIfAllowed, orderMoves } from '../orders/transitions.ts';
import { systemStamp } from '../shared/history.ts';
import type { CheckoutResult } from './checkout.ts';
import { type ReturnUrls, withOrderId } from './return-urls.ts';

interface Placed {
  order: Order;
  merchant: string;
}

/** Also heals a checkout whose process died before the page was made: a retry under the same key comes here. */
export async function openSession(
  ctx: Context,
  orderId: string,
  urls: ReturnUrls,
  placed: Placed | undefined,
): Promise<CheckoutResult> {
  const { order, merchant } = placed ?? (await readPlaced(ctx, orderId));
  if (order.amountDue === 0) return { orderId, status: 'COMPLETED' };
  if (order.paymentUrl !== undefined) return { orderId, checkoutUrl: order.paymentUrl };
  if (currentOf(order.statuses) !== 'PENDING') throw tooLate();
  let session: PaymentSession | undefined;
  try {
    session = await ctx.payments.createSession({
      reference: referenceOf(orderId),
      merchant,
      currency: order.currency,
      amount: order.amountDue,
      lines: paymentLines(order),
      expiresAt: order.expiresAt ?? 0,
      returnUrl: withOrderId(urls.returnUrl, orderId),
      cancelUrl: withOrderId(urls.cancelUrl, orderId),
      customerEmail: await emailOf(ctx, order.customerId),
    });
    const [stored] = await ctx.db.sql<{ status: string }>(
      'update orders set payment_session_id = $2, payment_url = $3 where id = $1 returning status',
      [orderId, session.id, session.url],
    );
    if (stored?.status !== 'PENDING') {
      await ctx.payments.expireSession({ reference: referenceOf(orderId), id: session.id });
      throw tooLate();
    }
    return { orderId, checkoutUrl: session.url };
  } catch (error) {
    if (error instanceof AppError) throw error;
    ctx.log.error({ err: error, requestId: ctx.request.requestId, orderId }, 'no payment session');
    const url = await abandon(ctx, orderId, session?.id);
    if (url !== undefined) return { orderId, checkoutUrl: url };
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

async function readPlaced(ctx: Context, orderId: string): Promise<Placed> {
  const order = await readOrder(ctx.db, orderId);
  if (!order) throw notFound('Order');
  const [business] = await ctx.db.sql<{ name: string }>('select name from businesses where id = $1', [
    order.businessId,
  ]);
  return { order, merchant: business?.name ?? '' };
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
    await forget(ctx, tx);
    if (currentOf(order.statuses) !== 'PENDING') return undefined;
    const statuses = moveIfAllowed(order.statuses, 'CANCELLED', orderMoves, systemStamp);
    const cancelled = await giveBack(ctx, tx, { ...order, statuses, paymentSessionId });
    await saveOrder(ctx, tx, order, cancelled);
    return undefined;
  });
}

async function emailOf(ctx: Context, customerId: string | undefined): Promise<string | undefined> {
  if (customerId === undefined || ctx.viewer.user?.isGuest) return undefined;
  const [row] = await ctx.db.sql<{ email: string | null }>('select email from users where id = $1', [
    customerId,
  ]);
  return row?.email ?? undefined;
}

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
