/** Customers ask to give units back, or think better of it; staff refuse. The lock on the order decides who was first. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { forbidden, notFound } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { fitting } from '../shared/record-size.ts';
import { findOrder } from './find-order.ts';
import { type Order, type OrderReturn, orders } from './model.ts';
import { withRefundsUnderWay } from './refunds.ts';
import type { RefuseReturn, RequestReturn, WithdrawReturn } from './return-checks.ts';
import { isNewTo, planReturn } from './return-rules.ts';
import { lockOrder, saveOrder } from './store.ts';

export interface Returned {
  order: Order;
  return: OrderReturn;
}

export async function requestReturn(
  ctx: Context,
  { businessId, id, input }: RequestReturn,
): Promise<Returned> {
  await expectOwn(ctx, { businessId, id });
  const { returnId } = await once(ctx, 'requestReturn', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const order = await lockOrder(tx, { businessId, id });
      if (!order) throw notFound('Order');
      const { reason } = input;
      const lines = planReturn(await withRefundsUnderWay(tx, order), input.lines, reason);
      const asked: OrderReturn = { id: newId(), status: 'REQUESTED', lines, reason, createdAt: now() };
      const after = { ...order, returns: [...(order.returns ?? []), asked] };
      fitting(orders.updateParams(after));
      await saveOrder(ctx, tx, order, after);
      return { returnId: asked.id };
    }),
  );
  return returnIn(await findOrder(ctx, { businessId, id }), returnId);
}

export async function withdrawReturn(
  ctx: Context,
  { businessId, id, returnId }: WithdrawReturn,
): Promise<Returned> {
  await expectOwn(ctx, { businessId, id });
  await ctx.db.transaction(async (tx) => {
    const { order, return: asked } = returnIn(await lockOrder(tx, { businessId, id }), returnId);
    if (isNewTo(asked, 'WITHDRAWN'))
      await saveReturn(ctx, tx, order, { ...asked, status: 'WITHDRAWN', decidedAt: now() });
  });
  return returnIn(await findOrder(ctx, { businessId, id }), returnId);
}

export function refuseReturn(
  ctx: Context,
  { businessId, id, returnId, version, input }: RefuseReturn,
): Promise<Returned> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id });
    if (!order) throw notFound('Order');
    expectVersion(order.version, version);
    const { return: asked } = returnIn(order, returnId);
    if (!isNewTo(asked, 'REFUSED')) return { order, return: asked };
    const refused: OrderReturn = { ...asked, status: 'REFUSED', refusal: input.reason, decidedAt: now() };
    fitting(orders.updateParams(withReturn(order, refused)));
    return returnIn(await saveReturn(ctx, tx, order, refused), returnId);
  });
}

/** Its customer, guest or not, and staff on their behalf. */
async function expectOwn(ctx: Context, at: { businessId: string; id: string }): Promise<void> {
  const seen = await findOrder(ctx, at);
  if (!seen) throw notFound('Order');
  const { person } = ctx.viewer;
  const isOwn = person !== undefined && seen.customerId === person.userId;
  if (!isOwn && !(await ctx.viewer.can('ORDERS_WRITE', at.businessId))) throw forbidden();
}

export const withReturn = (order: Order, changed: OrderReturn): Order => ({
  ...order,
  returns: order.returns?.map((one) => (one.id === changed.id ? changed : one)),
});

export const saveReturn = (
  ctx: Context,
  tx: Queries,
  order: Order,
  changed: OrderReturn,
  lines = order.lines,
): Promise<Order> => saveOrder(ctx, tx, order, { ...withReturn(order, changed), lines });

export function returnIn(order: Order | undefined, returnId: string): Returned {
  if (!order) throw notFound('Order');
  const one = order.returns?.find(({ id }) => id === returnId.toLowerCase());
  if (!one) throw notFound('Return');
  return { order, return: one };
}
