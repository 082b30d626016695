/** Cancels an order whose payment page could not be opened, and releases its Idempotency-Key for a retry. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, removeDeadline } from '../../../db/index.ts';
import { releaseIdempotencyKey } from '../../../idempotency.ts';
import { deleteRolledBackOrder, saveOrder } from '../../orders/manage/insert-save-and-delete-order.ts';
import { releaseStockAndPromoCode } from '../../orders/manage/release-stock-and-promo-code.ts';
import type { Order } from '../../orders/model.ts';
import { lockOrder } from '../../orders/read/find-and-lock-stored-order.ts';
import {
  currentStatus,
  orderTransitions,
  transitionStatusIfAllowed,
} from '../../orders/status-transitions.ts';
import { buildPaymentReference } from '../../payments/model.ts';
import { lockPaymentAttemptByReference } from '../../payments/stored-payment-attempts.ts';
import { buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';

/** Locks the cart that the order was created from, before any other lock; the returned function restores the order's content to that cart. */
export type PrepareCartRestore = (tx: QueryHandle) => Promise<(order: Order) => Promise<void>>;

/** Returns the URL of the page if a concurrent request with the same key has opened it meanwhile. With `deleteAfterwards`, also deletes the order. */
export function rollBackCheckout(
  ctx: Context,
  orderId: string,
  deleteAfterwards: boolean,
  restoreCart?: PrepareCartRestore,
): Promise<string | undefined> {
  // The deadline of the operation must not leave the order half undone.
  return removeDeadline(ctx.db).transaction(async (tx) => {
    const restoreContent = await restoreCart?.(tx);
    const order = await lockOrder(tx, { id: orderId }, { withStock: true });
    const attempt = await lockPaymentAttemptByReference(tx, buildPaymentReference('order', orderId));
    if (!order || attempt?.url !== undefined) return attempt?.url;
    await releaseIdempotencyKey(ctx, tx, { orderId });
    if (currentStatus(order.statuses) !== 'PENDING') return undefined;
    const statuses = transitionStatusIfAllowed(
      order.statuses,
      'CANCELLED',
      orderTransitions,
      buildSystemStatusHistoryEntry,
    );
    // Save (emits order.status_changed) before deleting, so that subscribers that received order.created also see the cancellation.
    await saveOrder(ctx, tx, order, await releaseStockAndPromoCode(tx, { ...order, statuses }));
    await restoreContent?.(order);
    if (deleteAfterwards) await deleteRolledBackOrder(tx, order);
    return undefined;
  });
}
