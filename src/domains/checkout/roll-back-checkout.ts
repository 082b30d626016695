/** Takes an order back whose payment page could not be made, and lets the same Idempotency-Key try again. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { releaseIdempotencyKey } from '../../idempotency.ts';
import { releaseCancelledOrder } from '../orders/manage/release-cancelled-order.ts';
import type { Order } from '../orders/model.ts';
import { currentStatus, orderTransitions, transitionIfAllowed } from '../orders/status-transitions.ts';
import { deleteOrder, lockOrder, saveOrder } from '../orders/store.ts';
import { buildPaymentReference } from '../payments/model.ts';
import { findAttemptByReference } from '../payments/payment-attempts.ts';
import { stampAsSystem } from '../shared/status-history.ts';

/** Locks what the order was made from, before anything else is locked; what it returns puts the order's content back there. */
export type CartRestorer = (tx: Queries) => Promise<(order: Order) => Promise<void>>;

/** Returns the page instead when another request under that key has made it in the meantime. With `forGood` no order is left. */
export function rollBackCheckout(
  ctx: Context,
  orderId: string,
  forGood: boolean,
  reopen?: CartRestorer,
): Promise<string | undefined> {
  return ctx.db.transaction(async (tx) => {
    const putBack = await reopen?.(tx);
    const order = await lockOrder(tx, { id: orderId }, { withStock: true });
    const attempt = await findAttemptByReference(tx, buildPaymentReference('order', orderId));
    if (!order || attempt?.url !== undefined) return attempt?.url;
    await releaseIdempotencyKey(ctx, tx, { orderId });
    if (currentStatus(order.statuses) !== 'PENDING') return undefined;
    const statuses = transitionIfAllowed(order.statuses, 'CANCELLED', orderTransitions, stampAsSystem);
    // Told before it is gone: whoever heard of the new order hears that it is over.
    await saveOrder(ctx, tx, order, await releaseCancelledOrder(ctx, tx, { ...order, statuses }));
    await putBack?.(order);
    if (forGood) await deleteOrder(tx, order);
    return undefined;
  });
}
