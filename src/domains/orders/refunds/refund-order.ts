/** `refundOrder` and `retryRefund`: validates and schedules refunds of an order; payments/schedule-submit-and-load-refunds.ts settles them with the provider. */
import type { Context, Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import {
  AppError,
  type ErrorDetail,
  notFoundError,
  validationError,
  validationErrorFrom,
} from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import {
  loadSubjectPaymentTotals,
  type SubjectPaymentTotals,
  splitRefundOverPayments,
} from '../../payments/load-and-split-payment-totals.ts';
import type { Refund, RefundedQuantityAtLineIndex } from '../../payments/model.ts';
import { findRefundRetryError, scheduleRefundRetry } from '../../payments/retry-refund.ts';
import {
  loadSubjectRefunds,
  scheduleRefund,
  submitRefundToProvider,
} from '../../payments/schedule-submit-and-load-refunds.ts';
import type { Order } from '../model.ts';
import { computeOverpaidAmount } from '../payment/amount-due.ts';
import { findStoredOrder, lockOrder } from '../read/find-and-lock-stored-order.ts';
import type { RefundOrderArgs, RetryRefundArgs } from '../schemas.ts';
import {
  addRefundedUnits,
  computeRefundCredit,
  findNonRefundableUnitsError,
  listRefundableLines,
  planRefund,
} from './refund-rules.ts';

export interface OrderRefundResult {
  order: Order;
  refund: Refund;
}

export async function refundOrder(
  ctx: Context,
  { businessId, id, input }: RefundOrderArgs,
): Promise<OrderRefundResult> {
  const { refundIds } = await runIdempotent(ctx, 'refundOrder', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const order = await lockOrder(tx, { businessId, id });
      if (!order) throw notFoundError('Order');
      return { refundIds: await scheduleOrderRefund(ctx, tx, order, input) };
    }),
  );
  return settleAndRead(ctx, id, refundIds, input.named?.amount);
}

/** Retries a FAILED refund, if its amount is still refundable. */
export async function retryOrderRefund(
  ctx: Context,
  { businessId, id, refundId }: RetryRefundArgs,
): Promise<OrderRefundResult> {
  await runIdempotent(ctx, 'retryRefund', { businessId, id, refundId }, (queries) =>
    queries.transaction(async (tx) => {
      const order = await lockOrder(tx, { businessId, id });
      if (!order) throw notFoundError('Order');
      const refund = await findRefund(tx, id, refundId);
      if (!refund) throw notFoundError('Refund');
      const error = await findRetryErrorOf(tx, order, refund);
      if (error) throw validationErrorFrom([error]);
      return scheduleRefundRetry(ctx, tx, refund.id);
    }),
  );
  return settleAndRead(ctx, id, [refundId.toLowerCase()]);
}

const findRefund = async (tx: QueryHandle, orderId: string, refundId: string): Promise<Refund | undefined> =>
  (await loadSubjectRefunds(tx, 'order', orderId)).find(({ id }) => id === refundId.toLowerCase());

const findRetryErrorOf = async (tx: QueryHandle, order: Order, refund: Refund) =>
  (await findRefundRetryError(tx, 'order', order.id, refund)) ??
  findNonRefundableUnitsError(await countPendingAsRefunded(tx, order), refund);

/** Error that prevents a retry, also for the operator. Of a deleted order only the payment is left to check. */
export async function findOrderRefundRetryError(
  tx: QueryHandle,
  refundId: string,
  orderId: string,
): Promise<ErrorDetail | undefined> {
  const order = await lockOrder(tx, { id: orderId });
  const refund = await findRefund(tx, orderId, refundId);
  if (!refund) return undefined;
  return order ? findRetryErrorOf(tx, order, refund) : findRefundRetryError(tx, 'order', orderId, refund);
}

async function settleAndRead(
  ctx: Context,
  id: string,
  refundIds: readonly string[],
  amountField = 'amount',
): Promise<OrderRefundResult> {
  await submitRefundsToProvider(ctx, refundIds);
  const refunds = (await loadSubjectRefunds(ctx.db, 'order', id)).filter((refund) =>
    refundIds.includes(refund.id),
  );
  const failed = refunds.find(({ status }) => status === 'FAILED');
  if (failed) throw refundRefusedError(failed, amountField);
  const [refund, order] = [refunds[0], await findStoredOrder(ctx.db, id)];
  if (!order || !refund) throw notFoundError('Order');
  return { order, refund };
}

/** A refund that cannot be settled now stays PENDING and a job retries it; the client sees it in the order's refunds. */
export async function submitRefundsToProvider(ctx: Context, refundIds: readonly string[]): Promise<void> {
  for (const refundId of refundIds)
    await submitRefundToProvider(ctx, refundId).catch((error: unknown) =>
      ctx.log.warn({ err: error, refundId }, 'settling a refund failed, the job will retry'),
    );
}

const refundRefusedError = ({ failure }: Refund, field: string) =>
  validationError(field, 'REFUND_REFUSED', failure ?? 'The payment provider rejected the refund.');

/** Validates the refund of a locked order and schedules it. Returns the ids of the scheduled refunds, one per payment. */
export async function scheduleOrderRefund(
  services: Services,
  tx: QueryHandle,
  order: Order,
  input: RefundOrderArgs['input'],
): Promise<string[]> {
  const totals = await loadSubjectPaymentTotals(tx, 'order', order.id);
  const effective = await countPendingAsRefunded(tx, order);
  const { amount, lines } = planRefund(effective, input, refundableAmount(totals));
  const credit = computeRefundCredit(effective, { amount, lines }, computeOverpaidAmount(order, totals));
  const { restock, reason } = input;
  return scheduleParts(services, tx, totals, { amount, credit, lines, restock, reason });
}

/** The order with its PENDING refunds counted as refunded, except those with ids in `except`. */
async function countPendingAsRefunded(
  tx: QueryHandle,
  order: Order,
  except: readonly string[] = [],
): Promise<Order> {
  const pending = (await loadSubjectRefunds(tx, 'order', order.id)).flatMap(
    ({ id, counts, status, lines }) => (counts && status === 'PENDING' && !except.includes(id) ? lines : []),
  );
  return { ...order, lines: addRefundedUnits(order, pending, false) };
}

/** The order as seen by fulfilment and returns: units in PENDING refunds count as refunded. Refunds of returns are excluded: returns count their own units. */
export const countPendingRefundsAsRefunded = (tx: QueryHandle, order: Order): Promise<Order> =>
  countPendingAsRefunded(
    tx,
    order,
    (order.returns ?? []).flatMap(({ refundIds = [] }) => refundIds),
  );

const refundableAmount = ({ captured, refunded, pending }: SubjectPaymentTotals) =>
  Math.max(0, captured - refunded - pending);

/** Refunds everything still refundable on a locked order, such as on cancellation. */
export async function scheduleRemainingRefund(
  services: Services,
  tx: QueryHandle,
  order: Order,
  reason: string,
): Promise<void> {
  const totals = await loadSubjectPaymentTotals(tx, 'order', order.id);
  const amount = refundableAmount(totals);
  if (amount === 0) return;
  // Units of pending refunds stay with those: one that fails later can be retried.
  const lines = listRefundableLines(await countPendingAsRefunded(tx, order));
  const credit = computeRefundCredit(order, { amount, lines }, computeOverpaidAmount(order, totals));
  await scheduleParts(services, tx, totals, { amount, credit, lines, reason });
}

interface ScheduledRefund {
  amount: number;
  credit: number;
  lines: readonly RefundedQuantityAtLineIndex[];
  restock?: boolean | undefined;
  reason?: string | undefined;
}

/** Splits the refund over the payments of the order, because each payment can only be refunded itself. The first refund carries the lines. */
async function scheduleParts(
  services: Services,
  tx: QueryHandle,
  totals: SubjectPaymentTotals,
  { amount, credit, lines, restock = false, reason }: ScheduledRefund,
): Promise<string[]> {
  const ids: string[] = [];
  let remainingCredit = credit;
  for (const { payment, amount: part } of splitRefundOverPayments(totals.payments, amount)) {
    const isFirst = ids.length === 0;
    const partCredit = Math.min(part, remainingCredit);
    remainingCredit -= partCredit;
    const refund = { amount: part, credit: partCredit, counts: true, reason, paymentId: payment.paymentId };
    const units = isFirst ? { lines, restock } : {};
    const attempt = { id: payment.attemptId, currency: payment.currency };
    ids.push(await scheduleRefund(services, tx, { attempt, ...refund, ...units }));
  }
  return ids;
}

/** Rejects an edit of lines while a refund is PENDING: refunds refer to lines by index. */
export async function assertNoPendingRefund(tx: QueryHandle, order: Order): Promise<void> {
  const pending = (await loadSubjectRefunds(tx, 'order', order.id)).some(
    ({ status }) => status === 'PENDING',
  );
  if (!pending) return;
  throw new AppError('CONFLICT', 'A refund of this order is pending: its lines cannot be changed now.', {
    details: [{ field: 'lines', error: 'REFUND_PENDING', message: 'Try again when the refund is settled.' }],
  });
}
