/** Accepts a return or a part of it: the refund and the restock of these units in one step, once, however often it is said. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { moveStock } from '../products/move-stock.ts';
import { fitting } from '../shared/record-size.ts';
import { restockingMoves } from './line-stock.ts';
import { type Order, type OrderReturn, orders } from './model.ts';
import { unitsBack } from './progress.ts';
import { valueOfUnits, withRestockedLines } from './refund-rules.ts';
import { askFor, settleAll, withRefundsUnderWay } from './refunds.ts';
import type { AcceptReturn } from './return-checks.ts';
import { expectAcceptedSo, expectReturnable, isNewTo, planAcceptance } from './return-rules.ts';
import { type Returned, returnIn, saveReturn, withReturn } from './returns.ts';
import { lockOrder, readOrder } from './store.ts';

export async function acceptReturn(
  ctx: Context,
  { businessId, id, returnId, version, input }: AcceptReturn,
): Promise<Returned> {
  const refundIds = await ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id }, { withStock: true });
    if (!order) throw notFound('Order');
    expectVersion(order.version, version);
    const { return: asked } = returnIn(order, returnId);
    const isNew = isNewTo(asked, 'ACCEPTED');
    const lines = planAcceptance(asked, input);
    if (!isNew) {
      expectAcceptedSo(asked, lines);
      return [];
    }
    const { refusal } = input;
    const accepted: OrderReturn = { ...asked, status: 'ACCEPTED', lines, refusal, decidedAt: now() };
    fitting(orders.updateParams(withReturn(order, accepted)));
    expectReturnable(await withRefundsUnderWay(tx, order), accepted);
    const amount = input.refund ?? valueOfUnits(order, unitsBack(accepted));
    if (amount > 0) return refunded(ctx, tx, order, accepted, input.refund);
    await takenBack(ctx, tx, order, accepted);
    return [];
  });
  await settleAll(ctx, refundIds);
  return returnIn(await readOrder(ctx.db, id), returnId);
}

/** The money goes as with any refund; the goods go back to stock with it. */
async function refunded(
  ctx: Context,
  tx: Queries,
  order: Order,
  accepted: OrderReturn,
  amount: number | undefined,
): Promise<string[]> {
  const lines = unitsBack(accepted).filter(({ quantity }) => quantity > 0);
  const refundIds = await askFor(ctx, tx, order, {
    lines,
    amount,
    restock: lines.some(({ restock }) => restock),
    named: { amount: 'refund', lines: 'return.lines' },
    // Not in the words of the customer: refunds outlive accounts.
    reason: 'Return accepted',
  });
  await saveReturn(ctx, tx, order, { ...accepted, refundIds });
  return refundIds;
}

/** Goods that come back for no money, such as gifts and what was paid elsewhere. */
async function takenBack(ctx: Context, tx: Queries, order: Order, accepted: OrderReturn): Promise<void> {
  const lines = withRestockedLines(
    order,
    unitsBack(accepted).filter(({ restock }) => restock),
  );
  await moveStock(tx, order.businessId, restockingMoves(order.lines, lines), {
    kind: 'REFUND',
    orderId: order.id,
    userId: ctx.viewer.user?.userId,
  });
  await saveReturn(ctx, tx, order, accepted, lines);
}
