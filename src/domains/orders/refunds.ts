/**
 * Gives money back. A refund is written first, then asked of the provider under its own id, then settled: whoever dies in
 * between, the job that was queued with it finishes it.
 */

import { z } from 'zod';
import type { Context, Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { PaymentRefused } from '../../ports/payments.ts';
import { moveStock } from '../products/move-stock.ts';
import { systemStamp } from '../shared/history.ts';
import type { RefundRequest } from './checks.ts';
import type { Order } from './model.ts';
import { planRefund, type RefundLine, withRefundedLines } from './refund-rules.ts';
import { lockOrder, readOrder, saveOrder } from './store.ts';
import { moveIfAllowed, orderMoves, paymentMoves } from './transitions.ts';

interface NewRefund {
  paymentId: string;
  amount: number;
  /** Whether the money was counted as payment of the order. */
  counts: boolean;
  reason?: string | undefined;
  lines?: readonly RefundLine[];
  restock?: boolean;
}

interface RefundRow {
  id: string;
  order_id: string;
  payment_id: string;
  amount: number;
  currency: string;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  counts: boolean;
  lines: RefundLine[];
  restock: boolean;
}

export async function refundOrder(ctx: Context, { businessId, id, input }: RefundRequest): Promise<Order> {
  const { refundId } = await once(ctx, 'refundOrder', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const order = await lockOrder(tx, { businessId, id });
      if (!order) throw notFound('Order');
      const { refundable, pendingLines } = await openRefunds(tx, order);
      const lines = withRefundedLines(order, pendingLines, false);
      const plan = planRefund({ ...order, lines }, input, refundable);
      const refund = { ...plan, counts: true, reason: input.reason, restock: input.restock ?? false };
      return {
        refundId: await scheduleRefund(ctx, tx, order, { paymentId: order.paymentId ?? '', ...refund }),
      };
    }),
  );
  const refused = await settleRefund(ctx, refundId).catch((error: unknown) => {
    // It stays PENDING, and the job tries again: the caller sees it in the order's refunds.
    ctx.log.warn({ err: error, refundId }, 'refund not settled yet');
    return undefined;
  });
  if (refused) throw invalid({ field: 'amount', error: 'REFUND_REFUSED', message: refused.message });
  const order = await readOrder(ctx.db, id);
  if (!order) throw notFound('Order');
  return order;
}

/** What can still go back, given what is on its way already. */
async function openRefunds(tx: Queries, order: Order) {
  const rows = await tx.sql<Pick<RefundRow, 'amount' | 'status' | 'lines'>>(
    `select amount, status, lines from refunds where order_id = $1 and counts and status <> 'FAILED'`,
    [order.id],
  );
  const pending = rows.filter(({ status }) => status === 'PENDING');
  const sum = (refunds: readonly { amount: number }[]) =>
    refunds.reduce((total, { amount }) => total + amount, 0);
  const gone = Math.max(order.refunded, sum(rows) - sum(pending)) + sum(pending);
  return {
    refundable: Math.max(0, order.captured - gone),
    pendingLines: pending.flatMap(({ lines }) => lines),
  };
}

/** Writes a refund in the transaction that decides on it; the job is its guarantee. */
export async function scheduleRefund(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Queries,
  order: Order,
  { paymentId, amount, counts, reason, lines = [], restock = false }: NewRefund,
): Promise<string> {
  const id = newId();
  await tx.sql(
    `insert into refunds (id, order_id, payment_id, amount, currency, counts, reason, lines, restock, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10)`,
    [
      id,
      order.id,
      paymentId,
      amount,
      order.currency,
      counts,
      reason ?? null,
      JSON.stringify(lines),
      restock,
      now(),
    ],
  );
  await jobs.enqueue(tx, settleRefundJob, { refundId: id });
  return id;
}

export const settleRefundJob = defineJob(
  'settle-refund',
  z.object({ refundId: z.string() }),
  async (services: Services, { refundId }) => {
    const refused = await settleRefund(services, refundId);
    if (refused) services.log.error({ refundId, reason: refused.message }, 'refund refused by the provider');
  },
  { retries: 20, concurrency: 2 },
);

/** Any number of calls make one refund: the provider knows it by its id. Returns why the provider refused, if it did. */
async function settleRefund(services: Services, refundId: string): Promise<PaymentRefused | undefined> {
  const [refund] = await services.db.sql<RefundRow>('select * from refunds where id = $1', [refundId]);
  if (refund?.status !== 'PENDING') return undefined;
  try {
    const { payment_id: paymentId, amount, currency } = refund;
    const { id } = await services.payments.refund({ paymentId, amount, currency, key: refund.id });
    await settle(services, refund, id);
    return undefined;
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    await services.db.sql(
      `update refunds set status = 'FAILED', settled_at = $2 where id = $1 and status = 'PENDING'`,
      [refundId, now()],
    );
    return error;
  }
}

const settle = (services: Services, refund: RefundRow, providerRefundId: string): Promise<void> =>
  services.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { id: refund.order_id }, { withStock: refund.restock });
    const settled = await tx.sql(
      `update refunds set status = 'SUCCEEDED', provider_refund_id = $2, settled_at = $3 where id = $1 and status = 'PENDING' returning 1`,
      [refund.id, providerRefundId, now()],
    );
    if (!order || settled.length === 0 || !refund.counts) return;
    const [sum] = await tx.sql<{ total: number }>(
      `select sum(amount)::bigint as total from refunds where order_id = $1 and counts and status = 'SUCCEEDED'`,
      [order.id],
    );
    const lines = withRefundedLines(order, refund.lines, refund.restock);
    if (refund.restock) {
      const moves = lines.map((line, index) => ({
        productId: line.productId,
        variantId: line.variantId,
        delta: (line.restocked ?? 0) - (order.lines[index]?.restocked ?? 0),
        field: `lines.${index}`,
      }));
      await moveStock(tx, order.businessId, moves);
    }
    const refunded = withRefunded({ ...order, lines }, Math.max(order.refunded, sum?.total ?? 0));
    await saveOrder(services, tx, order, refunded);
  });

/** The payment status follows the money; an order whose whole price went back is refunded itself. */
export function withRefunded(order: Order, refunded: number): Order {
  if (refunded === 0 || order.captured === 0) return { ...order, refunded };
  const isWhole = refunded >= order.captured;
  return {
    ...order,
    refunded,
    paymentStatus: moveIfAllowed(
      order.paymentStatus,
      isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
      paymentMoves,
      systemStamp,
    ),
    statuses: isWhole ? moveIfAllowed(order.statuses, 'REFUNDED', orderMoves, systemStamp) : order.statuses,
  };
}
