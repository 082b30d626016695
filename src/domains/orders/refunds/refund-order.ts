/** Sends money of an order back: what is asked for is checked and written here, payments/refunds.ts sees to the rest. */

import type { Context, Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { AppError, notFoundError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import type { Refund, RefundLine } from '../../payments/model.ts';
import {
  loadPaymentTotals,
  type SubjectTotals,
  splitRefundOverPayments,
} from '../../payments/payment-totals.ts';
import {
  loadSubjectRefunds,
  scheduleRefund,
  scheduleRefundRetry,
  settleRefund,
} from '../../payments/refunds.ts';
import type { Order } from '../model.ts';
import type { RefundOrderArgs, RetryRefundArgs } from '../schemas.ts';
import { lockOrder, readOrder } from '../store.ts';
import { markLinesRefunded, planRefund, refundableLines, retryRefundError } from './rules.ts';

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
  return settled(ctx, id, refundIds, input.named?.amount);
}

/** Another try for one that failed, if there is still something to give back. */
export async function retryOrderRefund(
  ctx: Context,
  { businessId, id, refundId }: RetryRefundArgs,
): Promise<OrderRefundResult> {
  await runIdempotent(ctx, 'retryRefund', { businessId, id, refundId }, (queries) =>
    queries.transaction(async (tx) => {
      const order = await lockOrder(tx, { businessId, id });
      if (!order) throw notFoundError('Order');
      const refund = (await loadSubjectRefunds(tx, 'order', id)).find(
        (one) => one.id === refundId.toLowerCase(),
      );
      if (!refund) throw notFoundError('Refund');
      const fault = retryRefundError(order, refund, refundableOf(await loadPaymentTotals(tx, 'order', id)));
      if (fault) throw validationError(fault);
      return scheduleRefundRetry(ctx, tx, refund.id);
    }),
  );
  return settled(ctx, id, [refundId.toLowerCase()]);
}

async function settled(
  ctx: Context,
  id: string,
  refundIds: readonly string[],
  amountIs = 'amount',
): Promise<OrderRefundResult> {
  await settleRefunds(ctx, refundIds);
  const made = (await loadSubjectRefunds(ctx.db, 'order', id)).filter((refund) =>
    refundIds.includes(refund.id),
  );
  const failed = made.find(({ status }) => status === 'FAILED');
  if (failed) throw refused(failed, amountIs);
  const [refund, order] = [made[0], await readOrder(ctx.db, id)];
  if (!order || !refund) throw notFoundError('Order');
  return { order, refund };
}

/** What fails here stays PENDING, and the job tries again: the caller sees it in the order's refunds. */
export async function settleRefunds(ctx: Context, refundIds: readonly string[]): Promise<void> {
  for (const refundId of refundIds)
    await settleRefund(ctx, refundId).catch((error: unknown) =>
      ctx.log.warn({ err: error, refundId }, 'refund not settled yet'),
    );
}

const refused = ({ failure }: Refund, field: string) =>
  validationError({
    field,
    error: 'REFUND_REFUSED',
    message: failure ?? 'The payment provider refused the refund.',
  });

export async function scheduleOrderRefund(
  services: Services,
  tx: Queries,
  order: Order,
  input: RefundOrderArgs['input'],
): Promise<string[]> {
  const money = await loadPaymentTotals(tx, 'order', order.id);
  const open = await withPending(tx, order);
  const { amount, lines } = planRefund(open, input, refundableOf(money));
  return schedule(services, tx, money, { amount, lines, restock: input.restock, reason: input.reason });
}

/** The order as it will be when the refunds under way are made, but for those in `except`. */
async function withPending(tx: Queries, order: Order, except: readonly string[] = []): Promise<Order> {
  const pending = (await loadSubjectRefunds(tx, 'order', order.id)).flatMap(
    ({ id, counts, status, lines }) => (counts && status === 'PENDING' && !except.includes(id) ? lines : []),
  );
  return { ...order, lines: markLinesRefunded(order, pending, false) };
}

/** For what may be shipped or returned: units whose money is on its way count as refunded; a return counts its own. */
export const withPendingRefunds = (tx: Queries, order: Order): Promise<Order> =>
  withPending(
    tx,
    order,
    (order.returns ?? []).flatMap(({ refundIds = [] }) => refundIds),
  );

const refundableOf = ({ captured, refunded, pending }: SubjectTotals) =>
  Math.max(0, captured - refunded - pending);

/** Sends back what is left of the money of an order that is locked, such as one that was cancelled. */
export async function refundRemainder(
  services: Services,
  tx: Queries,
  order: Order,
  reason: string,
): Promise<void> {
  const money = await loadPaymentTotals(tx, 'order', order.id);
  const amount = refundableOf(money);
  if (amount > 0) await schedule(services, tx, money, { amount, lines: refundableLines(order), reason });
}

interface Plan {
  amount: number;
  lines: readonly RefundLine[];
  restock?: boolean | undefined;
  reason?: string | undefined;
}

/** Money goes back the way it came: an order that was paid in parts is refunded in parts. The lines go with the first. */
async function schedule(
  services: Services,
  tx: Queries,
  money: SubjectTotals,
  { amount, lines, restock = false, reason }: Plan,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { payment, amount: part } of splitRefundOverPayments(money.payments, amount)) {
    const isFirst = ids.length === 0;
    const refund = { amount: part, counts: true, reason, paymentId: payment.paymentId };
    const goods = isFirst ? { lines, restock } : {};
    const attempt = { id: payment.attemptId, currency: payment.currency };
    ids.push(await scheduleRefund(services, tx, { attempt, ...refund, ...goods }));
  }
  return ids;
}

/** The positions of lines must stand still while the money of some is on its way. */
export async function assertNoPendingRefund(tx: Queries, order: Order): Promise<void> {
  const pending = (await loadSubjectRefunds(tx, 'order', order.id)).some(
    ({ status }) => status === 'PENDING',
  );
  if (!pending) return;
  throw new AppError('CONFLICT', 'A refund of this order is under way: its lines cannot be changed now.', {
    details: [{ field: 'lines', error: 'REFUND_PENDING', message: 'Try again when the refund is settled.' }],
  });
}
