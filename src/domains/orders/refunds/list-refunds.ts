/** `refunds`: refunds of an order, for viewers who may see the order. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { loadKeysetPage, type Page } from '../../../lib/paging.ts';
import type { Refund } from '../../payments/model.ts';
import { loadSubjectRefunds } from '../../payments/schedule-submit-and-load-refunds.ts';
import { findOrder } from '../read/find-order.ts';
import type { ListRefundsArgs } from '../schemas.ts';

/** Newest first. Paginated in memory: an order has only a few refunds. */
export async function listOrderRefunds(
  ctx: Context,
  { businessId, id, ...args }: ListRefundsArgs,
): Promise<Page<Refund>> {
  const order = await findOrder(ctx, { businessId, id });
  if (!order) throw notFoundError('Order');
  const all = (await loadSubjectRefunds(ctx.db, 'order', order.id)).reverse();
  return loadKeysetPage({
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
