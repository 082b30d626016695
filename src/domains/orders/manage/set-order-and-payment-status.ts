/** `setOrderStatus` and `setPaymentStatus`. Recording a payment status never moves money. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { createStatusHistoryEntryBuilder, type SubmittedStatusChange } from '../../shared/status-history.ts';
import { listUnitsToShip } from '../fulfilment/fulfilment-progress-by-line.ts';
import { deriveFulfilmentStatus, shipOrDeliverWholeOrder } from '../fulfilment/fulfilment-rules.ts';
import type { Order, OrderStatusEntry } from '../model.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { countPendingRefundsAsRefunded, scheduleRemainingRefund } from '../refunds/refund-order.ts';
import type { SetOrderStatusArgs, SetPaymentStatusArgs } from '../schemas.ts';
import {
  allowedOrderTransitions,
  currentStatus,
  type OrderStatus,
  paymentTransitions,
  transitionStatus,
} from '../status-transitions.ts';
import { saveOrder } from './insert-save-and-delete-order.ts';
import { releaseStockAndPromoCode } from './release-stock-and-promo-code.ts';

export function setOrderStatus(
  ctx: Context,
  { businessId, id, version, refund, input }: SetOrderStatusArgs,
): Promise<Order> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id }, { withStock: input.status === 'CANCELLED' });
    if (!order) throw notFoundError('Order');
    assertExpectedVersion(order.version, version);
    const moved = await applyOrderStatusChanges(ctx, tx, order, [input], 'status', refund);
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
    assertExpectedVersion(order.version, version);
    const paymentStatus = transitionStatus(
      order.paymentStatus,
      [input],
      paymentTransitions,
      createStatusHistoryEntryBuilder(ctx.viewer),
      'status',
    );
    if (paymentStatus.length === order.paymentStatus.length) return order;
    return saveOrder(ctx, tx, order, { ...order, paymentStatus });
  });
}

/**
 * Returns the same object when no status changes. SHIPPED and DELIVERED fulfil all remaining units. CANCELLED releases stock and
 * promo code, and refunds the remaining money unless `refund` is false.
 */
export async function applyOrderStatusChanges(
  ctx: Context,
  tx: QueryHandle,
  order: Order,
  changes: readonly SubmittedStatusChange<OrderStatus>[],
  field: string,
  refund = true,
): Promise<Order> {
  const statuses = transitionStatus(
    order.statuses,
    changes,
    allowedOrderTransitions(order),
    createStatusHistoryEntryBuilder(ctx.viewer),
    field,
  );
  if (statuses.length === order.statuses.length) return order;
  const moved = { ...order, statuses };
  const fulfilmentStatus = deriveFulfilmentStatus(statuses.slice(order.statuses.length));
  if (fulfilmentStatus) {
    const remaining = listUnitsToShip(await countPendingRefundsAsRefunded(tx, order));
    return shipOrDeliverWholeOrder(moved, remaining, fulfilmentStatus, { id: newId(), time: now() });
  }
  if (currentStatus(statuses) !== 'CANCELLED') return moved;
  const userId = ctx.viewer.user?.userId;
  if (!refund) return releaseStockAndPromoCode(tx, moved, userId);
  await scheduleRemainingRefund(ctx, tx, order, 'Order cancelled');
  const marked = statuses.map(
    (entry, index): OrderStatusEntry =>
      index === statuses.length - 1 ? { ...entry, refundsPayment: true } : entry,
  );
  return releaseStockAndPromoCode(tx, { ...moved, statuses: marked }, userId);
}
