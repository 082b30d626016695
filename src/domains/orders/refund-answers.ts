/** What an order becomes when the provider has answered one of its refunds. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { now } from '../../lib/time.ts';
import type { RefundAnswer } from '../../ports/payments.ts';
import type { Refund } from '../payments/model.ts';
import { moneyOf } from '../payments/money.ts';
import { answerRefund } from '../payments/refunds.ts';
import { moveStock } from '../products/move-stock.ts';
import { systemStamp } from '../shared/history.ts';
import { announce } from '../webhooks/announce.ts';
import { withGoodsStatus } from './fulfilment-rules.ts';
import { restockingMoves } from './line-stock.ts';
import type { Order, OrderLine } from './model.ts';
import { withoutRefundedLines, withRefundedLines } from './refund-rules.ts';
import { withReturnMoney } from './return-rules.ts';
import { lockOrder, saveOrder } from './store.ts';
import { withMoney } from './with-money.ts';

export async function refundAnswered(
  services: Services,
  tx: Queries,
  { id: refundId, restock }: Refund,
  answer: RefundAnswer,
  orderId: string,
): Promise<void> {
  const order = await lockOrder(tx, { id: orderId }, { withStock: restock });
  const moved = await answerRefund(tx, refundId, answer);
  if (!moved || !order) return;
  const { before, refund } = moved;
  if (refund.status === 'FAILED') await announceFailure(services, tx, order, refund);
  if (!refund.counts) return;
  const lines = await linesAfter(tx, order, before, refund);
  const money = await moneyOf(tx, 'order', orderId);
  if (lines === order.lines && money.refunded === order.refunded) return;
  const refundedAt = refund.status === 'SUCCEEDED' ? now() : undefined;
  const returns = withReturnMoney(order.returns, refundId, refundedAt);
  const paid = withMoney({ ...order, lines, returns }, money);
  await saveOrder(services, tx, order, withGoodsStatus(paid, systemStamp));
}

async function linesAfter(tx: Queries, order: Order, before: Refund, refund: Refund): Promise<OrderLine[]> {
  if (refund.lines.length === 0) return order.lines;
  if (refund.status === 'FAILED')
    // The goods stay where they are: only the money did not go back.
    return before.status === 'SUCCEEDED' ? withoutRefundedLines(order, refund.lines) : order.lines;
  const lines = withRefundedLines(order, refund.lines, refund.restock);
  if (refund.restock) {
    const moves = restockingMoves(order.lines, lines);
    await moveStock(tx, order.businessId, moves, { kind: 'REFUND', orderId: order.id });
  }
  return lines;
}

async function announceFailure(
  services: Services,
  tx: Queries,
  { id: orderId, businessId }: Order,
  { id, amount, currency, failure }: Refund,
): Promise<void> {
  await announce(services, tx, businessId, [
    { type: 'refund.failed', data: { id, orderId, businessId, amount, currency, reason: failure } },
  ]);
}
