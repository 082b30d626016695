/** `refundOrder` and `retryRefund`: validates and schedules refunds of an order; payments/refunds.ts settles them with the provider. */

import type { Context, Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { AppError, notFoundError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import type { Refund, RefundLine } from '../../payments/model.ts';
import {
  loadSubjectPaymentTotals,
  type SubjectPaymentTotals,
  splitRefundOverPayments,
} from '../../payments/payment-totals.ts';
import {
  loadSubjectRefunds,
  scheduleRefund,
  scheduleRefundRetry,
  submitRefundToProvider,
} from '../../payments/refunds.ts';
import type { Order } from '../model.ts';
import type { RefundOrderArgs, RetryRefundArgs } from '../schemas.ts';
import { lockOrder, readOrder } from '../store.ts';
import { addRefundedUnits, findRefundRetryError, listRefundableLines, planRefund } from './rules.ts';

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
      const refund = (await loadSubjectRefunds(tx, 'order', id)).find(
        ({ id: candidate }) => candidate === refundId.toLowerCase(),
      );
      if (!refund) throw notFoundError('Refund');
      const error = findRefundRetryError(
        order,
        refund,
        refundableAmount(await loadSubjectPaymentTotals(tx, 'order', id)),
      );
      if (error) throw validationError(error);
      return scheduleRefundRetry(ctx, tx, refund.id);
    }),
  );
  return settleAndRead(ctx, id, [refundId.toLowerCase()]);
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
  const [refund, order] = [refunds[0], await readOrder(ctx.db, id)];
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
  validationError({
    field,
    error: 'REFUND_REFUSED',
    message: failure ?? 'The payment provider rejected the refund.',
  });

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
  return scheduleParts(services, tx, totals, { amount, lines, restock: input.restock, reason: input.reason });
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
export const withPendingRefundsCounted = (tx: QueryHandle, order: Order): Promise<Order> =>
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
  if (amount > 0)
    await scheduleParts(services, tx, totals, { amount, lines: listRefundableLines(order), reason });
}

interface ScheduledRefund {
  amount: number;
  lines: readonly RefundLine[];
  restock?: boolean | undefined;
  reason?: string | undefined;
}

/** Splits the refund over the payments of the order, because each payment can only be refunded itself. The first refund carries the lines. */
async function scheduleParts(
  services: Services,
  tx: QueryHandle,
  totals: SubjectPaymentTotals,
  { amount, lines, restock = false, reason }: ScheduledRefund,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { payment, amount: part } of splitRefundOverPayments(totals.payments, amount)) {
    const isFirst = ids.length === 0;
    const refund = { amount: part, counts: true, reason, paymentId: payment.paymentId };
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
