/** The refunds of an order, for those who may see the order. */
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { type Page, page } from '../../lib/paging.ts';
import type { Refund } from '../payments/model.ts';
import { refundsOf } from '../payments/refunds.ts';
import type { RefundList } from './checks.ts';
import { findOrder } from './find-order.ts';

/** Newest first. An order has few: they are read at once. */
export async function listRefunds(
  ctx: Context,
  { businessId, id, ...args }: RefundList,
): Promise<Page<Refund>> {
  const order = await findOrder(ctx, { businessId, id });
  if (!order) throw notFound('Order');
  const all = (await refundsOf(ctx.db, 'order', order.id)).reverse();
  return page({
    secret: ctx.keys.secret,
    list: `refunds:${order.id}`,
    args,
    keyOf: (refund) => refund.id,
    async fetch({ after, before, backward }, limit) {
      const within = all.filter(
        ({ id: key }) => (after === undefined || key < after) && (before === undefined || key > before),
      );
      return (backward ? within.reverse() : within).slice(0, limit);
    },
    count: async () => all.length,
  });
}
