/** Follows orders: staff with ORDERS_READ all of their business, everybody else one of their own. */

import type { Context } from '../../../context.ts';
import { forbiddenError, notFoundError } from '../../../errors.ts';
import { subscribeToChanges } from '../../../graphql/execute/subscription-events.ts';
import { findOrder } from './find-order.ts';
import { loadOrders } from './load-orders.ts';

export interface OrderTopic {
  businessId: string;
  /** Absent: every order of the business. */
  id?: string | null | undefined;
}

export const watchOrders = (ctx: Context, { businessId, id }: OrderTopic) =>
  id === null || id === undefined ? watchAllOrders(ctx, businessId) : watchOrder(ctx, { businessId, id });

const watchOrder = (ctx: Context, at: { businessId: string; id: string }) =>
  subscribeToChanges(
    ctx,
    { kind: 'order', businessId: at.businessId, record: at.id },
    async (now, { all, changed }) => {
      const order = await findOrder(now, at);
      if (!order) throw notFoundError('Order');
      return all || changed.size > 0 ? [order] : [];
    },
  );

const watchAllOrders = (ctx: Context, businessId: string) =>
  subscribeToChanges(ctx, { kind: 'order', businessId }, async (now, { changed }) => {
    // Asked even when nothing has changed: a subscription ends with the role that allowed it.
    if (!(await now.viewer.hasPermission('ORDERS_READ', businessId))) throw forbiddenError();
    if (changed.size === 0) return [];
    const orders = await loadOrders(now, businessId, [...changed.keys()]);
    return [...orders.values()];
  });
