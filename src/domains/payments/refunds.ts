/**
 * Gives money back. A refund is written first, then asked of the provider under its own id, then settled when the provider says so:
 * whoever dies in between, the job that was queued with it finishes it.
 */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import type { TableRow } from '../../db/records/table.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { PaymentRejectedError, type ProviderRefund } from '../../ports/payments.ts';
import {
  type PaymentAttempt,
  type PaymentSubjectKind,
  type Refund,
  type RefundLine,
  refunds,
} from './model.ts';
import { findPaymentSubject } from './payment-subjects.ts';

export interface NewRefund {
  attempt: Pick<PaymentAttempt, 'id' | 'currency'>;
  paymentId: string;
  amount: number;
  /** Absent: that of the attempt. */
  currency?: string | undefined;
  /** Whether the money was counted as payment. */
  counts: boolean;
  reason?: string | undefined;
  lines?: readonly RefundLine[];
  restock?: boolean;
}

/** Writes a refund in the transaction that decides on it; the job is its guarantee. */
export async function scheduleRefund(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Queries,
  { attempt, paymentId, amount, currency, counts, reason, lines = [], restock = false }: NewRefund,
): Promise<string> {
  const refund: Refund = {
    id: newId(),
    attemptId: attempt.id,
    paymentId,
    amount,
    currency: currency ?? attempt.currency,
    status: 'PENDING',
    counts,
    reason,
    lines: [...lines],
    restock,
    tries: 0,
    createdAt: now(),
  };
  await tx.sql(refunds.insert, refunds.insertParams(refund));
  await jobs.enqueue(tx, settleRefundJob, { refundId: refund.id });
  return refund.id;
}

export const settleRefundJob = defineJob(
  'settle-refund',
  z.object({ refundId: z.string() }),
  (services: Services, { refundId }) => settleRefund(services, refundId),
  { retries: 20, concurrency: 2 },
);

const byId = `select ${refunds.columns}, a.kind, a.subject_id from ${refunds.from} join payment_attempts a on a.id = r.attempt_id`;

type Found = TableRow & { kind: string; subject_id: string };

/** Any number of calls make one refund: the provider knows it by its id. A provider that does not answer throws. */
export async function settleRefund(services: Services, refundId: string): Promise<void> {
  const [row] = await services.db.sql<Found>(`${byId} where r.id = $1 and r.status = 'PENDING'`, [refundId]);
  if (row) await askAndAnswer(services, row);
}

/** Asks about those of a payment that have succeeded: banks send money back days later. Returns the ones that failed after all. */
export async function findRefundsFailedAfterSuccess(
  services: Services,
  attemptId: string,
  dryRun: boolean,
): Promise<Refund[]> {
  const rows = await services.db.sql<Found>(
    `${byId} where r.attempt_id = $1 and r.status = 'SUCCEEDED' and r.provider_refund_id is not null order by r.id`,
    [attemptId],
  );
  const failed: Refund[] = [];
  for (const row of rows) {
    const refund = refunds.read(row);
    const { status } = dryRun ? await ask(services, refund) : await askAndAnswer(services, row);
    if (status === 'failed') failed.push(refund);
  }
  return failed;
}

async function askAndAnswer(services: Services, row: Found): Promise<ProviderRefund> {
  const refund = refunds.read(row);
  const answer = await ask(services, refund);
  await services.db.transaction(async (tx) => {
    await findPaymentSubject(row.kind)?.applyRefundAnswer(services, tx, refund, answer, row.subject_id);
  });
  if (answer.status === 'failed')
    services.log.error({ refundId: refund.id, reason: answer.reason }, 'refund refused by the provider');
  return answer;
}

async function ask({ payments }: Services, refund: Refund): Promise<ProviderRefund> {
  const { paymentId, amount, currency, providerRefundId, createdAt: since } = refund;
  const key = keyOf(refund);
  try {
    const answer =
      providerRefundId === undefined
        ? await payments.refund({ paymentId, amount, currency, key, since })
        : await payments.findRefund(providerRefundId);
    return { ...answer, key };
  } catch (error) {
    if (!(error instanceof PaymentRejectedError)) throw error;
    return { id: providerRefundId ?? '', key, status: 'failed', reason: error.message };
  }
}

/** What the provider knows it by: every try is a refund of its own there. */
const keyOf = ({ id, tries }: Refund): string => (tries > 0 ? `${id}:${tries}` : id);

/** The refund a provider speaks of, by the id it gave or by the key it was asked under. */
export async function findRefundForEvent(
  tx: Queries,
  { id, key }: { id: string; key?: string | undefined },
): Promise<{ refund: Refund; kind: string; subjectId: string } | undefined> {
  const [row] = await tx.sql<Found>(`${byId} where r.provider_refund_id = $1 or r.id::text = $2`, [
    id,
    key?.split(':')[0] ?? null,
  ]);
  return row && { refund: refunds.read(row), kind: row.kind, subjectId: row.subject_id };
}

/** What an answer makes of a refund: FAILED is final, and so is success but for a later failure. Pure. */
export function transitionRefundStatus(
  status: Refund['status'],
  answer: ProviderRefund['status'],
): Refund['status'] {
  if (status === 'FAILED' || answer === 'pending') return status;
  return answer === 'failed' ? 'FAILED' : 'SUCCEEDED';
}

/** Writes down an answer, for a subject that is locked. Undefined when it changes nothing. */
export async function recordRefundAnswer(
  tx: Queries,
  refundId: string,
  answer: ProviderRefund,
): Promise<{ before: Refund; refund: Refund } | undefined> {
  const [row] = await tx.sql<TableRow>(
    `select ${refunds.columns} from ${refunds.from} where r.id = $1 for update`,
    [refundId],
  );
  const before = row && refunds.read(row);
  if (!before) return undefined;
  // A failed one that was tried again has a new key and a new id: what is said about the old ones is history.
  if (answer.key !== undefined && answer.key !== keyOf(before)) return undefined;
  if (before.providerRefundId !== undefined && answer.id !== '' && before.providerRefundId !== answer.id)
    return undefined;
  const status = transitionRefundStatus(before.status, answer.status);
  const refund: Refund = {
    ...before,
    status,
    providerRefundId: answer.id === '' ? before.providerRefundId : answer.id,
    // Its goods are back in stock already: another try moves the money alone.
    restock: before.restock && !(before.status === 'SUCCEEDED' && status === 'FAILED'),
    ...(status === before.status ? {} : { settledAt: now(), failure: answer.reason }),
  };
  await tx.sql(refunds.update, refunds.updateParams(refund));
  return status === before.status ? undefined : { before, refund };
}

// Of money that fits nothing the rest goes back, should a part of it have gone back by other hands.
const retryStatement = `update refunds r set status = 'PENDING', tries = r.tries + 1, provider_refund_id = null, failure = null,
    settled_at = null, amount = open.amount
  from (select f.id, case when f.counts or f.payment_id <> a.payment_id then f.amount
      else least(f.amount, a.captured - a.refunded_elsewhere) end as amount
    from refunds f join payment_attempts a on a.id = f.attempt_id where f.id = $1) open
  where r.id = open.id and r.status = 'FAILED' and open.amount > 0 returning 1`;

/** Tries a failed refund once more. False when it has not failed. */
export const retryRefund = (services: Pick<Services, 'jobs' | 'db'>, refundId: string): Promise<boolean> =>
  services.db.transaction((tx) => scheduleRefundRetry(services, tx, refundId));

/** The same in a transaction that has looked whether it makes sense. */
export async function scheduleRefundRetry(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Queries,
  refundId: string,
): Promise<boolean> {
  const retried = await tx.sql(retryStatement, [refundId]);
  if (retried.length === 0) return false;
  await jobs.enqueue(tx, settleRefundJob, { refundId });
  return true;
}

/** The refunds of something, oldest first, and what of its lines is on its way back. */
export async function loadSubjectRefunds(
  queries: Queries,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<Refund[]> {
  const rows = await queries.sql<TableRow>(`${byId} where a.kind = $1 and a.subject_id = $2 order by r.id`, [
    kind,
    subjectId,
  ]);
  return rows.map(refunds.read);
}

/** The refunds of many, by subject, oldest first. */
export async function loadRefundsBySubject(
  queries: Queries,
  kind: PaymentSubjectKind,
  subjectIds: readonly string[],
): Promise<Map<string, Refund[]>> {
  const rows = await queries.sql<Found>(
    `${byId} where a.kind = $1 and a.subject_id = any($2::uuid[]) order by r.id`,
    [kind, subjectIds],
  );
  return rows.reduce(
    (map, row) => map.set(row.subject_id, [...(map.get(row.subject_id) ?? []), refunds.read(row)]),
    new Map<string, Refund[]>(),
  );
}
