/** Moves the two statuses of an order. Recording a payment status never moves money. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { closeAttempts } from '../payments/attempts.ts';
import { type StatusChange, stampFor } from '../shared/history.ts';
import { amountDue } from './amount-due.ts';
import { giveBack } from './cancel.ts';
import type { SetOrderStatus, SetPaymentStatus } from './checks.ts';
import { shippingIn, withAllShipped } from './fulfilment-rules.ts';
import type { Order } from './model.ts';
import { movesOf, unitsToShip } from './progress.ts';
import { refundRest, withRefundsUnderWay } from './refunds.ts';
import { lockOrder, saveOrder } from './store.ts';
import { currentOf, moveStatus, type OrderStatus, paymentMoves } from './transitions.ts';

export function setOrderStatus(
  ctx: Context,
  { businessId, id, version, refund, input }: SetOrderStatus,
): Promise<Order> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id }, { withStock: input.status === 'CANCELLED' });
    if (!order) throw notFound('Order');
    expectVersion(order.version, version);
    const moved = await withOrderStatuses(ctx, tx, order, [input], 'status', refund);
    return moved === order ? order : saveOrder(ctx, tx, order, moved);
  });
}

export function setPaymentStatus(
  ctx: Context,
  { businessId, id, version, input }: SetPaymentStatus,
): Promise<Order> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id });
    if (!order) throw notFound('Order');
    expectVersion(order.version, version);
    const paymentStatus = moveStatus(
      order.paymentStatus,
      [input],
      paymentMoves,
      stampFor(ctx.viewer),
      'status',
    );
    if (paymentStatus.length === order.paymentStatus.length) return order;
    const changed = { ...order, paymentStatus };
    await closeStalePages(ctx, tx, order, changed);
    return saveOrder(ctx, tx, order, changed);
  });
}

/** Nobody pays what is no longer due: recorded as paid elsewhere, or another sum by now. */
export async function closeStalePages(ctx: Context, tx: Queries, before: Order, order: Order): Promise<void> {
  if (amountDue(order) !== amountDue(before)) await closeAttempts(ctx, tx, 'order', order.id);
}

/**
 * The same object when nothing moves. An order that comes to SHIPPED or DELIVERED has all of it shipped. One that comes to CANCELLED
 * gives back what it holds, the money too unless the caller says that the business keeps it.
 */
export async function withOrderStatuses(
  ctx: Context,
  tx: Queries,
  order: Order,
  changes: readonly StatusChange<OrderStatus>[],
  field: string,
  refund = true,
): Promise<Order> {
  const statuses = moveStatus(order.statuses, changes, movesOf(order), stampFor(ctx.viewer), field);
  if (statuses.length === order.statuses.length) return order;
  const moved = { ...order, statuses };
  const goods = shippingIn(statuses.slice(order.statuses.length));
  if (goods) {
    const rest = unitsToShip(await withRefundsUnderWay(tx, order));
    return withAllShipped(moved, rest, goods, { id: newId(), time: now() });
  }
  if (currentOf(statuses) !== 'CANCELLED') return moved;
  if (refund) await refundRest(ctx, tx, order, 'Order cancelled');
  return giveBack(ctx, tx, moved, ctx.viewer.user?.userId);
}
