/** `requestReturn`, `withdrawReturn` and `refuseReturn`. The row lock on the order serialises concurrent decisions. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { missingPermissionError, notFoundError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import { type Order, type OrderReturn, orderTable } from '../model.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { findOrder } from '../read/find-order.ts';
import { countPendingRefundsAsRefunded } from '../refunds/refund-order.ts';
import { needsReturnStatusChange, planReturnUnits } from './return-rules.ts';
import type { RefuseReturnArgs, RequestReturnArgs, WithdrawReturnArgs } from './schemas.ts';

export interface OrderReturnResult {
  order: Order;
  return: OrderReturn;
}

export async function requestReturn(
  ctx: Context,
  { businessId, id, input }: RequestReturnArgs,
): Promise<OrderReturnResult> {
  await assertCanRequestReturn(ctx, { businessId, id });
  const { returnId } = await runIdempotent(ctx, 'requestReturn', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const order = await lockOrder(tx, { businessId, id });
      if (!order) throw notFoundError('Order');
      const { reason } = input;
      const lines = planReturnUnits(await countPendingRefundsAsRefunded(tx, order), input.lines, reason);
      const requested: OrderReturn = { id: newId(), status: 'REQUESTED', lines, reason, createdAt: now() };
      const after = { ...order, returns: [...(order.returns ?? []), requested] };
      requireRecordWithinSizeLimit(orderTable.updateParams(after));
      await saveOrder(ctx, tx, order, after);
      return { returnId: requested.id };
    }),
  );
  return requireOrderReturn(await findOrder(ctx, { businessId, id }), returnId);
}

export async function withdrawReturn(
  ctx: Context,
  { businessId, id, returnId }: WithdrawReturnArgs,
): Promise<OrderReturnResult> {
  await assertCanRequestReturn(ctx, { businessId, id });
  await ctx.db.transaction(async (tx) => {
    const { order, return: orderReturn } = requireOrderReturn(
      await lockOrder(tx, { businessId, id }),
      returnId,
    );
    if (needsReturnStatusChange(orderReturn, 'WITHDRAWN'))
      await saveOrderReturn(ctx, tx, order, { ...orderReturn, status: 'WITHDRAWN', decidedAt: now() });
  });
  return requireOrderReturn(await findOrder(ctx, { businessId, id }), returnId);
}

export function refuseReturn(
  ctx: Context,
  { businessId, id, returnId, version, input }: RefuseReturnArgs,
): Promise<OrderReturnResult> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id });
    if (!order) throw notFoundError('Order');
    assertExpectedVersion(order.version, version);
    const { return: orderReturn } = requireOrderReturn(order, returnId);
    if (!needsReturnStatusChange(orderReturn, 'REFUSED')) return { order, return: orderReturn };
    const refused: OrderReturn = {
      ...orderReturn,
      status: 'REFUSED',
      refusal: input.reason,
      decidedAt: now(),
    };
    requireRecordWithinSizeLimit(orderTable.updateParams(replaceReturnInOrder(order, refused)));
    return requireOrderReturn(await saveOrderReturn(ctx, tx, order, refused), returnId);
  });
}

/** Allows the customer of the order, including guests, and members with ORDERS_WRITE on their behalf. */
async function assertCanRequestReturn(ctx: Context, ref: { businessId: string; id: string }): Promise<void> {
  const order = await findOrder(ctx, ref);
  if (!order) throw notFoundError('Order');
  const { accountUser } = ctx.viewer;
  const isOwn = accountUser !== undefined && order.customerId === accountUser.userId;
  if (!isOwn && !(await ctx.viewer.hasPermission('ORDERS_WRITE', ref.businessId)))
    throw missingPermissionError('ORDERS_WRITE');
}

export const replaceReturnInOrder = (order: Order, changed: OrderReturn): Order => ({
  ...order,
  returns: order.returns?.map((existing) => (existing.id === changed.id ? changed : existing)),
});

export const saveOrderReturn = (
  ctx: Context,
  tx: QueryHandle,
  order: Order,
  changed: OrderReturn,
  lines = order.lines,
): Promise<Order> => saveOrder(ctx, tx, order, { ...replaceReturnInOrder(order, changed), lines });

export function requireOrderReturn(order: Order | undefined, returnId: string): OrderReturnResult {
  if (!order) throw notFoundError('Order');
  const orderReturn = order.returns?.find(({ id }) => id === returnId.toLowerCase());
  if (!orderReturn) throw notFoundError('Return');
  return { order, return: orderReturn };
}
