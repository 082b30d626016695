/** Retries of failed refunds: by staff through the API, and by the operator; both by the rule of the order or subscription. */
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../errors.ts';
import { loadSubjectPaymentTotals } from './load-and-split-payment-totals.ts';
import type { PaymentSubjectKind, Refund } from './model.ts';
import { findPaymentSubjectHandler } from './payment-subject-registry.ts';
import { findRefundSubject, submitRefundJob } from './schedule-submit-and-load-refunds.ts';

// Of an unmatched payment, only the part that was not refunded externally is refunded.
const retryStatement = `update refunds r set status = 'PENDING', tries = r.tries + 1, provider_refund_id = null, failure = null,
    settled_at = null, amount = open.amount
  from (select f.id, case when f.counts or f.payment_id <> a.payment_id then f.amount
      else least(f.amount, a.captured - a.refunded_elsewhere) end as amount
    from refunds f join payment_attempts a on a.id = f.attempt_id where f.id = $1) open
  where r.id = open.id and r.status = 'FAILED' and open.amount > 0 returning 1`;

/** Retries a failed refund by the rule of its subject. False when it is not FAILED or nothing is left to refund. */
export const retryRefund = (services: Pick<Services, 'jobs' | 'db'>, refundId: string): Promise<boolean> =>
  services.db.transaction(async (tx) => {
    const { kind = '', subjectId = '' } = (await findRefundSubject(tx, refundId)) ?? {};
    const error = await findPaymentSubjectHandler(kind)?.findRetryError(tx, refundId, subjectId);
    if (error?.error === 'REFUND_NOT_FAILED') return false;
    if (error) throw validationErrorFrom([error]);
    return scheduleRefundRetry(services, tx, refundId);
  });

/** Error that prevents a retry, if any: a refund that counts must fit in what is left of its payment. The subject is locked. */
export async function findRefundRetryError(
  tx: QueryHandle,
  kind: PaymentSubjectKind,
  subjectId: string,
  { status, counts, attemptId, amount }: Refund,
): Promise<ErrorDetail | undefined> {
  const field = 'refundId';
  if (status !== 'FAILED') return { field, error: 'REFUND_NOT_FAILED', message: `This refund is ${status}.` };
  if (!counts) return undefined;
  const { payments } = await loadSubjectPaymentTotals(tx, kind, subjectId);
  const payment = payments.find((candidate) => candidate.attemptId === attemptId);
  const refundable = payment ? Math.max(0, payment.captured - payment.refunded - payment.pending) : 0;
  const message = `At most ${refundable} can be refunded.`;
  return amount > refundable ? { field, error: 'REFUND_TOO_LARGE', message } : undefined;
}

/** Schedules a retry that was checked, in the transaction of the caller, which holds the lock of the subject. */
export async function scheduleRefundRetry(
  { jobs }: Pick<Services, 'jobs'>,
  tx: QueryHandle,
  refundId: string,
): Promise<boolean> {
  const retried = await tx.write(retryStatement, [refundId]);
  if (retried.length === 0) return false;
  await jobs.enqueue(tx, submitRefundJob, { refundId });
  return true;
}
