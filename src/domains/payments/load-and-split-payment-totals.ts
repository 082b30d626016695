/** Captured and refunded amounts per payment; orders and subscriptions derive their totals from them. Amounts in minor units. */
import type { QueryHandle } from '../../db/index.ts';
import type { PaymentSubjectKind } from './model.ts';

interface PaymentTotals {
  attemptId: string;
  paymentId: string;
  currency: string;
  captured: number;
  /** Total refunded, regardless of who initiated it. */
  refunded: number;
  /** Total of pending refunds. */
  pending: number;
  /** Parts of `refunded` and `pending` that are credits: the customer owes that much less. */
  credited: number;
  pendingCredit: number;
}

export interface SubjectPaymentTotals {
  captured: number;
  refunded: number;
  pending: number;
  credited: number;
  pendingCredit: number;
  /** Newest first. */
  payments: PaymentTotals[];
}

/** Amounts that the provider has confirmed. */
export type SettledPaymentTotals = Pick<SubjectPaymentTotals, 'captured' | 'refunded' | 'credited'>;

const select = `select a.id as "attemptId", a.payment_id as "paymentId", a.currency, a.captured,
    a.refunded_elsewhere + coalesce(sum(r.amount) filter (where r.status = 'SUCCEEDED'), 0)::bigint as refunded,
    coalesce(sum(r.amount) filter (where r.status = 'PENDING'), 0)::bigint as pending,
    coalesce(a.credited_elsewhere, a.refunded_elsewhere)
      + coalesce(sum(coalesce(r.credit, r.amount)) filter (where r.status = 'SUCCEEDED'), 0)::bigint as credited,
    coalesce(sum(coalesce(r.credit, r.amount)) filter (where r.status = 'PENDING'), 0)::bigint as "pendingCredit"
  from payment_attempts a left join refunds r on r.attempt_id = a.id and r.counts
  where a.kind = $1 and a.subject_id = $2 and a.state = 'PAID' group by a.id order by a.number desc`;

/** Sums accepted payments; unmatched payments are excluded. */
export async function loadSubjectPaymentTotals(
  queries: QueryHandle,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<SubjectPaymentTotals> {
  const payments = await queries.sql<PaymentTotals>(select, [kind, subjectId]);
  const sum = (field: 'captured' | 'refunded' | 'pending' | 'credited' | 'pendingCredit') =>
    payments.reduce((total, payment) => total + payment[field], 0);
  return {
    captured: sum('captured'),
    refunded: sum('refunded'),
    pending: sum('pending'),
    credited: sum('credited'),
    pendingCredit: sum('pendingCredit'),
    payments,
  };
}

/** Splits a refund over the payments with a refundable amount, newest first. The caller has checked that the amounts suffice. */
export function splitRefundOverPayments(
  payments: readonly PaymentTotals[],
  amount: number,
): { payment: PaymentTotals; amount: number }[] {
  let remaining = amount;
  return payments.flatMap((payment) => {
    const part = Math.min(remaining, Math.max(0, payment.captured - payment.refunded - payment.pending));
    remaining -= part;
    return part > 0 ? [{ payment, amount: part }] : [];
  });
}

/** Captured, refunded and credited amounts by subject id; subjects without a payment are omitted. */
export async function loadPaymentTotalsBySubject(
  queries: QueryHandle,
  kind: PaymentSubjectKind,
  subjectIds: readonly string[],
): Promise<Map<string, SettledPaymentTotals>> {
  const rows = await queries.sql<SettledPaymentTotals & { id: string }>(
    `select p.id, sum(p.captured)::bigint as captured, sum(p.refunded)::bigint as refunded, sum(p.credited)::bigint as credited from (
       select a.subject_id as id, a.captured,
         a.refunded_elsewhere + coalesce((select sum(r.amount) from refunds r
           where r.attempt_id = a.id and r.counts and r.status = 'SUCCEEDED'), 0) as refunded,
         coalesce(a.credited_elsewhere, a.refunded_elsewhere) + coalesce((select sum(coalesce(r.credit, r.amount)) from refunds r
           where r.attempt_id = a.id and r.counts and r.status = 'SUCCEEDED'), 0) as credited
       from payment_attempts a where a.kind = $1 and a.subject_id = any($2::uuid[]) and a.state = 'PAID'
     ) p group by p.id`,
    [kind, subjectIds],
  );
  return new Map(rows.map(({ id, captured, refunded, credited }) => [id, { captured, refunded, credited }]));
}
