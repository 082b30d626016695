/** Customers ask to give units back, or think better of it; staff refuse. The lock on the order decides who was first. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { forbiddenError, notFoundError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { type Order, type OrderReturn, orders } from '../model.ts';
import { findOrder } from '../read/find-order.ts';
import { withPendingRefunds } from '../refunds/refund-order.ts';
import { lockOrder, saveOrder } from '../store.ts';
import { isNewReturnStatus, planReturn } from './rules.ts';
import type { RefuseReturnArgs, RequestReturnArgs, WithdrawReturnArgs } from './schemas.ts';

export interface ReturnResult {
  order: Order;
  return: OrderReturn;
}

export async function requestReturn(
  ctx: Context,
  { businessId, id, input }: RequestReturnArgs,
): Promise<ReturnResult> {
  await expectOwn(ctx, { businessId, id });
  const { returnId } = await runIdempotent(ctx, 'requestReturn', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const order = await lockOrder(tx, { businessId, id });
      if (!order) throw notFoundError('Order');
      const { reason } = input;
      const lines = planReturn(await withPendingRefunds(tx, order), input.lines, reason);
      const asked: OrderReturn = { id: newId(), status: 'REQUESTED', lines, reason, createdAt: now() };
      const after = { ...order, returns: [...(order.returns ?? []), asked] };
      requireRecordSize(orders.updateParams(after));
      await saveOrder(ctx, tx, order, after);
      return { returnId: asked.id };
    }),
  );
  return requireReturn(await findOrder(ctx, { businessId, id }), returnId);
}

export async function withdrawReturn(
  ctx: Context,
  { businessId, id, returnId }: WithdrawReturnArgs,
): Promise<ReturnResult> {
  await expectOwn(ctx, { businessId, id });
  await ctx.db.transaction(async (tx) => {
    const { order, return: asked } = requireReturn(await lockOrder(tx, { businessId, id }), returnId);
    if (isNewReturnStatus(asked, 'WITHDRAWN'))
      await saveReturn(ctx, tx, order, { ...asked, status: 'WITHDRAWN', decidedAt: now() });
  });
  return requireReturn(await findOrder(ctx, { businessId, id }), returnId);
}

export function refuseReturn(
  ctx: Context,
  { businessId, id, returnId, version, input }: RefuseReturnArgs,
): Promise<ReturnResult> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id });
    if (!order) throw notFoundError('Order');
    assertVersion(order.version, version);
    const { return: asked } = requireReturn(order, returnId);
    if (!isNewReturnStatus(asked, 'REFUSED')) return { order, return: asked };
    const refused: OrderReturn = { ...asked, status: 'REFUSED', refusal: input.reason, decidedAt: now() };
    requireRecordSize(orders.updateParams(replaceReturn(order, refused)));
    return requireReturn(await saveReturn(ctx, tx, order, refused), returnId);
  });
}

/** Its customer, guest or not, and staff on their behalf. */
async function expectOwn(ctx: Context, at: { businessId: string; id: string }): Promise<void> {
  const seen = await findOrder(ctx, at);
  if (!seen) throw notFoundError('Order');
  const { accountUser: person } = ctx.viewer;
  const isOwn = person !== undefined && seen.customerId === person.userId;
  if (!isOwn && !(await ctx.viewer.hasPermission('ORDERS_WRITE', at.businessId))) throw forbiddenError();
}

export const replaceReturn = (order: Order, changed: OrderReturn): Order => ({
  ...order,
  returns: order.returns?.map((one) => (one.id === changed.id ? changed : one)),
});

export const saveReturn = (
  ctx: Context,
  tx: Queries,
  order: Order,
  changed: OrderReturn,
  lines = order.lines,
): Promise<Order> => saveOrder(ctx, tx, order, { ...replaceReturn(order, changed), lines });

export function requireReturn(order: Order | undefined, returnId: string): ReturnResult {
  if (!order) throw notFoundError('Order');
  const one = order.returns?.find(({ id }) => id === returnId.toLowerCase());
  if (!one) throw notFoundError('Return');
  return { order, return: one };
}
