/** `acceptReturn`: accepts all or part of a return, refunds and restocks the units in one transaction. Repeating the call has no effect. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { addStock } from '../../products/stock/move-stock.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import {
  countUnrefundedReturnedUnits,
  listUnitsOfReturn,
} from '../fulfilment/fulfilment-progress-by-line.ts';
import type { QuantityAtLineIndex } from '../fulfilment/quantities-by-line-index.ts';
import { buildRestockMoves } from '../manage/line-stock-moves.ts';
import { type Order, type OrderReturn, orderTable } from '../model.ts';
import { computeAmountDue } from '../payment/amount-due.ts';
import { findStoredOrder, lockOrder } from '../read/find-and-lock-stored-order.ts';
import {
  countPendingRefundsAsRefunded,
  scheduleOrderRefund,
  submitRefundsToProvider,
} from '../refunds/refund-order.ts';
import { addRestockedUnits, computeRefundValue } from '../refunds/refund-rules.ts';
import {
  type OrderReturnResult,
  replaceReturnInOrder,
  requireOrderReturn,
  saveOrderReturn,
} from './request-withdraw-and-refuse-returns.ts';
import {
  assertSameReturnAcceptance,
  assertUnitsReturnable,
  needsReturnStatusChange,
  planReturnAcceptance,
} from './return-rules.ts';
import type { AcceptReturnArgs } from './schemas.ts';

export async function acceptReturn(
  ctx: Context,
  { businessId, id, returnId, version, input }: AcceptReturnArgs,
): Promise<OrderReturnResult> {
  const refundIds = await ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id }, { withStock: true });
    if (!order) throw notFoundError('Order');
    assertExpectedVersion(order.version, version);
    const { return: orderReturn } = requireOrderReturn(order, returnId);
    const isNew = needsReturnStatusChange(orderReturn, 'ACCEPTED');
    const lines = planReturnAcceptance(orderReturn, input);
    if (!isNew) {
      assertSameReturnAcceptance(orderReturn, lines);
      return [];
    }
    const units = listUnitsOfReturn({ lines });
    const amount = input.refund ?? computeRefundValue(order, units);
    const accepted: OrderReturn = {
      ...orderReturn,
      ...{ status: 'ACCEPTED', lines, refusal: input.refusal, decidedAt: now() },
      credit: computeReturnCredit(order, units, amount),
    };
    requireRecordWithinSizeLimit(orderTable.updateParams(replaceReturnInOrder(order, accepted)));
    assertUnitsReturnable(await countPendingRefundsAsRefunded(tx, order), accepted);
    if (amount > 0) return acceptWithRefund(ctx, tx, order, accepted, input.refund);
    await acceptWithoutRefund(ctx, tx, order, accepted);
    return [];
  });
  await submitRefundsToProvider(ctx, refundIds);
  return requireOrderReturn(await findStoredOrder(ctx.db, id), returnId);
}

/** The price of returned units that the refund does not cover is no longer due, as far as it is not paid. */
function computeReturnCredit(
  order: Order,
  units: readonly QuantityAtLineIndex[],
  refundAmount: number,
): number | undefined {
  const lines = order.lines.map((line, index) => ({
    ...line,
    refunded: (line.refunded ?? 0) + countUnrefundedReturnedUnits(order, index),
  }));
  const price = computeRefundValue({ ...order, lines }, units);
  return Math.min(Math.max(0, price - refundAmount), Math.max(0, computeAmountDue(order))) || undefined;
}

/** Schedules an ordinary refund; its outcome also restocks the units. */
async function acceptWithRefund(
  ctx: Context,
  tx: QueryHandle,
  order: Order,
  accepted: OrderReturn,
  amount: number | undefined,
): Promise<string[]> {
  const lines = listUnitsOfReturn(accepted).filter(({ quantity }) => quantity > 0);
  const refundIds = await scheduleOrderRefund(ctx, tx, order, {
    lines,
    amount,
    restock: lines.some(({ restock }) => restock),
    named: { amount: 'refund', lines: 'return.lines' },
    // A fixed text instead of the customer's reason: refund records are kept after the account is erased.
    reason: 'Return accepted',
  });
  await saveOrderReturn(ctx, tx, order, { ...accepted, refundIds });
  return refundIds;
}

/** For units without a refundable amount, such as gifts or orders paid outside the gateway: restocks them directly. */
async function acceptWithoutRefund(
  ctx: Context,
  tx: QueryHandle,
  order: Order,
  accepted: OrderReturn,
): Promise<void> {
  const lines = addRestockedUnits(
    order,
    listUnitsOfReturn(accepted).filter(({ restock }) => restock),
  );
  await addStock(tx, order.businessId, buildRestockMoves(order.lines, lines), {
    kind: 'REFUND',
    orderId: order.id,
    userId: ctx.viewer.user?.userId,
  });
  await saveOrderReturn(ctx, tx, order, accepted, lines);
}
