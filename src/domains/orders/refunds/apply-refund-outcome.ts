/** Applies the provider's outcome of a refund to its order: amounts, lines, stock, statuses. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import type { ProviderRefund } from '../../../ports/payments.ts';
import { loadSubjectPaymentTotals } from '../../payments/load-and-split-payment-totals.ts';
import type { Refund } from '../../payments/model.ts';
import { recordProviderRefund, updateRefundLines } from '../../payments/schedule-submit-and-load-refunds.ts';
import { addStock } from '../../products/stock/move-stock.ts';
import { buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import { deriveStatusFromFulfilments } from '../fulfilment/fulfilment-rules.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import { buildRestockMoves } from '../manage/line-stock-moves.ts';
import type { Order, OrderLine } from '../model.ts';
import { derivePaymentStatus } from '../payment/derive-payment-status.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { setReturnRefundedAt } from '../returns/return-rules.ts';
import { addRefundedUnits, markReturnedUnits, revertRefundedUnits } from './refund-rules.ts';

export async function applyRefundOutcome(
  services: Services,
  tx: QueryHandle,
  { id: refundId, restock }: Refund,
  answer: ProviderRefund,
  orderId: string,
): Promise<void> {
  const order = await lockOrder(tx, { id: orderId }, { withStock: restock });
  const recordedRefund = await recordProviderRefund(tx, refundId, answer);
  if (!recordedRefund || !order) return;
  const { before, refund } = recordedRefund;
  if (refund.status === 'FAILED') await emitRefundFailed(services, tx, order, refund);
  if (!refund.counts) return;
  const lines = await updateLines(tx, order, before, refund);
  const money = await loadSubjectPaymentTotals(tx, 'order', orderId);
  if (lines === order.lines && money.refunded === order.refunded) return;
  const refundedAt = refund.status === 'SUCCEEDED' ? now() : undefined;
  const isRestocked = refund.restock;
  const returns = setReturnRefundedAt(order.returns, refundId, { refundedAt, isRestocked });
  const paid = derivePaymentStatus({ ...order, lines, returns }, money);
  await saveOrder(services, tx, order, deriveStatusFromFulfilments(paid, buildSystemStatusHistoryEntry));
}

async function updateLines(
  tx: QueryHandle,
  order: Order,
  before: Refund,
  refund: Refund,
): Promise<OrderLine[]> {
  if (refund.lines.length === 0) return order.lines;
  if (refund.status === 'FAILED')
    // Restocked units stay in stock and count as refunded, see recordProviderRefund.
    return before.status === 'SUCCEEDED' ? revertRefundedUnits(order, refund.lines) : order.lines;
  const units = isRefundOfReturn(order, refund) ? refund.lines : markReturnedUnits(order, refund.lines);
  // Stored, so that a later failure reverts the same units.
  if (units.some((item, index) => item !== refund.lines[index])) await updateRefundLines(tx, refund, units);
  const lines = addRefundedUnits(order, units, refund.restock);
  if (refund.restock) {
    const moves = buildRestockMoves(order.lines, lines);
    await addStock(tx, order.businessId, moves, { kind: 'REFUND', orderId: order.id });
  }
  return lines;
}

const isRefundOfReturn = ({ returns = [] }: Order, { id }: Refund): boolean =>
  returns.some(({ refundIds = [] }) => refundIds.includes(id));

async function emitRefundFailed(
  services: Services,
  tx: QueryHandle,
  { id: orderId, businessId }: Order,
  { id, amount, currency, failure }: Refund,
): Promise<void> {
  await emitWebhookEvents(services, tx, businessId, [
    { type: 'refund.failed', data: { id, orderId, businessId, amount, currency, reason: failure } },
  ]);
}
