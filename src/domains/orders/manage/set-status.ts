/** `setOrderStatus` and `setPaymentStatus`. Recording a payment status never moves money. */

import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { closeOpenAttempts } from '../../payments/payment-attempts.ts';
import { createStatusStamper, type StatusChange } from '../../shared/status-history.ts';
import { allowedOrderTransitions, unitsToShip } from '../fulfilment/line-progress.ts';
import { fulfilRemaining, requestedFulfilmentStatus } from '../fulfilment/rules.ts';
import type { Order } from '../model.ts';
import { amountDue } from '../payment/amount-due.ts';
import { refundRemainder, withPendingRefunds } from '../refunds/refund-order.ts';
import type { SetOrderStatusArgs, SetPaymentStatusArgs } from '../schemas.ts';
import {
  currentStatus,
  type OrderStatus,
  paymentTransitions,
  transitionStatus,
} from '../status-transitions.ts';
import { lockOrder, saveOrder } from '../store.ts';
import { releaseCancelledOrder } from './release-cancelled-order.ts';

export function setOrderStatus(
  ctx: Context,
  { businessId, id, version, refund, input }: SetOrderStatusArgs,
): Promise<Order> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id }, { withStock: input.status === 'CANCELLED' });
    if (!order) throw notFoundError('Order');
    assertVersion(order.version, version);
    const moved = await applyStatusChanges(ctx, tx, order, [input], 'status', refund);
    return moved === order ? order : saveOrder(ctx, tx, order, moved);
  });
}

export function setPaymentStatus(
  ctx: Context,
  { businessId, id, version, input }: SetPaymentStatusArgs,
): Promise<Order> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id });
    if (!order) throw notFoundError('Order');
    assertVersion(order.version, version);
    const paymentStatus = transitionStatus(
      order.paymentStatus,
      [input],
      paymentTransitions,
      createStatusStamper(ctx.viewer),
      'status',
    );
    if (paymentStatus.length === order.paymentStatus.length) return order;
    const changed = { ...order, paymentStatus };
    await closeOutdatedPaymentPages(ctx, tx, order, changed);
    return saveOrder(ctx, tx, order, changed);
  });
}

/** Closes open payment pages when the amount due has changed: the order was edited, or recorded as paid outside the gateway. */
export async function closeOutdatedPaymentPages(
  ctx: Context,
  tx: Queries,
  before: Order,
  order: Order,
): Promise<void> {
  if (amountDue(order) !== amountDue(before)) await closeOpenAttempts(ctx, tx, 'order', order.id);
}

/**
 * Returns the same object when no status changes. SHIPPED and DELIVERED fulfil all remaining units. CANCELLED releases stock and
 * promo code, and refunds the remaining money unless `refund` is false.
 */
export async function applyStatusChanges(
  ctx: Context,
  tx: Queries,
  order: Order,
  changes: readonly StatusChange<OrderStatus>[],
  field: string,
  refund = true,
): Promise<Order> {
  const statuses = transitionStatus(
    order.statuses,
    changes,
    allowedOrderTransitions(order),
    createStatusStamper(ctx.viewer),
    field,
  );
  if (statuses.length === order.statuses.length) return order;
  const moved = { ...order, statuses };
  const fulfilmentStatus = requestedFulfilmentStatus(statuses.slice(order.statuses.length));
  if (fulfilmentStatus) {
    const remaining = unitsToShip(await withPendingRefunds(tx, order));
    return fulfilRemaining(moved, remaining, fulfilmentStatus, { id: newId(), time: now() });
  }
  if (currentStatus(statuses) !== 'CANCELLED') return moved;
  if (refund) await refundRemainder(ctx, tx, order, 'Order cancelled');
  return releaseCancelledOrder(ctx, tx, moved, ctx.viewer.user?.userId);
}
