/** What was taken and what went back, by payment: the sums that orders and subscriptions carry come from here. */
import type { Queries } from '../../db/sql.ts';
import type { Kind } from './model.ts';

export interface PaymentMoney {
  attemptId: string;
  paymentId: string;
  currency: string;
  captured: number;
  /** What has gone back, by whose hand ever. */
  refunded: number;
  /** What is on its way back. */
  pending: number;
}

export interface Money {
  captured: number;
  refunded: number;
  pending: number;
  /** The newest first. */
  payments: PaymentMoney[];
}

const select = `select a.id as "attemptId", a.payment_id as "paymentId", a.currency, a.captured,
    a.refunded_elsewhere + coalesce(sum(r.amount) filter (where r.status = 'SUCCEEDED'), 0)::bigint as refunded,
    coalesce(sum(r.amount) filter (where r.status = 'PENDING'), 0)::bigint as pending
  from payment_attempts a left join refunds r on r.attempt_id = a.id and r.counts
  where a.kind = $1 and a.subject_id = $2 and a.state = 'PAID' group by a.id order by a.number desc`;

/** Counts what was accepted as payment; money that fits nothing is apart. */
export async function moneyOf(queries: Queries, kind: Kind, subjectId: string): Promise<Money> {
  const payments = await queries.sql<PaymentMoney>(select, [kind, subjectId]);
  const sum = (field: 'captured' | 'refunded' | 'pending') =>
    payments.reduce((total, payment) => total + payment[field], 0);
  return { captured: sum('captured'), refunded: sum('refunded'), pending: sum('pending'), payments };
}

/** Splits an amount over the payments it can go back through. The caller has checked that there is enough. */
export function splitRefund(
  payments: readonly PaymentMoney[],
  amount: number,
): { payment: PaymentMoney; amount: number }[] {
  let open = amount;
  return payments.flatMap((payment) => {
    const part = Math.min(open, Math.max(0, payment.captured - payment.refunded - payment.pending));
    open -= part;
    return part > 0 ? [{ payment, amount: part }] : [];
  });
}
