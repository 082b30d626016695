/** Takes an order back whose payment page could not be made, and lets the same Idempotency-Key try again. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { forget } from '../../idempotency.ts';
import { giveBack } from '../orders/cancel.ts';
import type { Order } from '../orders/model.ts';
import { deleteOrder, lockOrder, saveOrder } from '../orders/store.ts';
import { currentOf, moveIfAllowed, orderMoves } from '../orders/transitions.ts';
import { findAttempt } from '../payments/attempts.ts';
import { referenceOf } from '../payments/model.ts';
import { systemStamp } from '../shared/history.ts';

/** Locks what the order was made from, before anything else is locked; what it returns puts the order's content back there. */
export type Reopen = (tx: Queries) => Promise<(order: Order) => Promise<void>>;

/** Returns the page instead when another request under that key has made it in the meantime. With `forGood` no order is left. */
export function abandon(
  ctx: Context,
  orderId: string,
  forGood: boolean,
  reopen?: Reopen,
): Promise<string | undefined> {
  return ctx.db.transaction(async (tx) => {
    const putBack = await reopen?.(tx);
    const order = await lockOrder(tx, { id: orderId }, { withStock: true });
    const attempt = await findAttempt(tx, referenceOf('order', orderId));
    if (!order || attempt?.url !== undefined) return attempt?.url;
    await forget(ctx, tx, { orderId });
    if (currentOf(order.statuses) !== 'PENDING') return undefined;
    const statuses = moveIfAllowed(order.statuses, 'CANCELLED', orderMoves, systemStamp);
    // Told before it is gone: whoever heard of the new order hears that it is over.
    await saveOrder(ctx, tx, order, await giveBack(ctx, tx, { ...order, statuses }));
    await putBack?.(order);
    if (forGood) await deleteOrder(tx, order);
    return undefined;
  });
}
