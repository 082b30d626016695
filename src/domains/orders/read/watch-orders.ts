/** `orderChanged`: with ORDERS_READ all orders of a business, otherwise one of the viewer's own. */
import type { Context } from '../../../context.ts';
import { missingPermissionError, notFoundError } from '../../../errors.ts';
import { subscribeToChanges } from '../../../graphql/execute/subscribe-to-changes.ts';
import { findOrder } from './find-order.ts';
import { loadOrders } from './load-orders.ts';

interface WatchOrdersArgs {
  businessId: string;
  /** Undefined or null: all orders of the business. */
  id?: string | null | undefined;
}

export const watchOrders = (ctx: Context, { businessId, id }: WatchOrdersArgs) =>
  id === null || id === undefined ? watchAllOrders(ctx, businessId) : watchOrder(ctx, { businessId, id });

const watchOrder = (ctx: Context, ref: { businessId: string; id: string }) =>
  subscribeToChanges(
    ctx,
    { kind: 'order', businessId: ref.businessId, record: ref.id },
    async (currentCtx, { all, changed }) => {
      const order = await findOrder(currentCtx, ref);
      if (!order) throw notFoundError('Order');
      return all || changed.size > 0 ? [order] : [];
    },
  );

const watchAllOrders = (ctx: Context, businessId: string) =>
  subscribeToChanges(ctx, { kind: 'order', businessId }, async (currentCtx, { changed }) => {
    // Checked even when no order changed: losing the permission ends the subscription.
    if (!(await currentCtx.viewer.hasPermission('ORDERS_READ', businessId)))
      throw missingPermissionError('ORDERS_READ');
    if (changed.size === 0) return [];
    const orders = await loadOrders(currentCtx, businessId, [...changed.keys()]);
    return [...orders.values()];
  });
