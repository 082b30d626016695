/** `revokeOrderLinks`: invalidates all order links that were mailed until now. Later mails contain a new one. */
import type { Context } from '../../../context.ts';
import { missingPermissionError, notFoundError } from '../../../errors.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import { type Order, redactStatusActors } from '../model.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { findOrder } from '../read/find-order.ts';
import { computeNextOrderLinkVersion } from './order-links.ts';
import type { RevokeOrderLinksArgs } from './schemas.ts';

export async function revokeOrderLinks(ctx: Context, ref: RevokeOrderLinksArgs): Promise<Order> {
  const visibleOrder = await findOrder(ctx, ref);
  if (!visibleOrder) throw notFoundError('Order');
  const isStaff = await ctx.viewer.hasPermission('ORDERS_WRITE', ref.businessId);
  const userId = ctx.viewer.accountUser?.userId ?? null;
  if (!isStaff && visibleOrder.customerId !== userId) throw missingPermissionError('ORDERS_WRITE');
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, ref);
    if (!order) throw notFoundError('Order');
    const saved = await saveOrder(ctx, tx, order, {
      ...order,
      linkVersion: computeNextOrderLinkVersion(order),
    });
    return redactStatusActors(saved, isStaff, userId);
  });
}
