/** `acceptReturn`: accepts all or part of a return, refunds and restocks the units in one transaction. Repeating the call has no effect. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { moveStock } from '../../products/stock/move-stock.ts';
import { requireRecordSize } from '../../shared/record-size.ts';
import { returnedUnits } from '../fulfilment/line-progress.ts';
import { restockMoves } from '../manage/line-stock.ts';
import { type Order, type OrderReturn, orderTable } from '../model.ts';
import { scheduleOrderRefund, settleRefunds, withPendingRefunds } from '../refunds/refund-order.ts';
import { computeRefundValue, markLinesRestocked } from '../refunds/rules.ts';
import { lockOrder, readOrder } from '../store.ts';
import { type ReturnResult, replaceReturn, requireReturn, saveReturn } from './manage-returns.ts';
import { assertSameAcceptance, assertUnitsReturnable, isNewReturnStatus, planAcceptance } from './rules.ts';
import type { AcceptReturnArgs } from './schemas.ts';

export async function acceptReturn(
  ctx: Context,
  { businessId, id, returnId, version, input }: AcceptReturnArgs,
): Promise<ReturnResult> {
  const refundIds = await ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id }, { withStock: true });
    if (!order) throw notFoundError('Order');
    assertVersion(order.version, version);
    const { return: orderReturn } = requireReturn(order, returnId);
    const isNew = isNewReturnStatus(orderReturn, 'ACCEPTED');
    const lines = planAcceptance(orderReturn, input);
    if (!isNew) {
      assertSameAcceptance(orderReturn, lines);
      return [];
    }
    const { refusal } = input;
    const accepted: OrderReturn = { ...orderReturn, status: 'ACCEPTED', lines, refusal, decidedAt: now() };
    requireRecordSize(orderTable.updateParams(replaceReturn(order, accepted)));
    assertUnitsReturnable(await withPendingRefunds(tx, order), accepted);
    const amount = input.refund ?? computeRefundValue(order, returnedUnits(accepted));
    if (amount > 0) return acceptWithRefund(ctx, tx, order, accepted, input.refund);
    await acceptWithoutRefund(ctx, tx, order, accepted);
    return [];
  });
  await settleRefunds(ctx, refundIds);
  return requireReturn(await readOrder(ctx.db, id), returnId);
}

/** Schedules an ordinary refund; its outcome also restocks the units. */
async function acceptWithRefund(
  ctx: Context,
  tx: Queries,
  order: Order,
  accepted: OrderReturn,
  amount: number | undefined,
): Promise<string[]> {
  const lines = returnedUnits(accepted).filter(({ quantity }) => quantity > 0);
  const refundIds = await scheduleOrderRefund(ctx, tx, order, {
    lines,
    amount,
    restock: lines.some(({ restock }) => restock),
    named: { amount: 'refund', lines: 'return.lines' },
    // A fixed text instead of the customer's reason: refund records are kept after the account is erased.
    reason: 'Return accepted',
  });
  await saveReturn(ctx, tx, order, { ...accepted, refundIds });
  return refundIds;
}

/** For units without a refundable amount, such as gifts or orders paid outside the gateway: restocks them directly. */
async function acceptWithoutRefund(
  ctx: Context,
  tx: Queries,
  order: Order,
  accepted: OrderReturn,
): Promise<void> {
  const lines = markLinesRestocked(
    order,
    returnedUnits(accepted).filter(({ restock }) => restock),
  );
  await moveStock(tx, order.businessId, restockMoves(order.lines, lines), {
    kind: 'REFUND',
    orderId: order.id,
    userId: ctx.viewer.user?.userId,
  });
  await saveReturn(ctx, tx, order, accepted, lines);
}
