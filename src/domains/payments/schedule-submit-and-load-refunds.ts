/**
 * Refunds. A refund is stored first, then requested from the provider with its id as idempotency key, and settled by the answer of the
 * provider. The job queued with the refund completes it after a crash.
 */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import type { QueryHandle, UntypedRow } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { PaymentRejectedError, type ProviderRefund } from '../../ports/payments.ts';
import { callPaymentProvider } from './call-payment-provider.ts';
import {
  type PaymentAttempt,
  type PaymentSubjectKind,
  type Refund,
  type RefundedQuantityAtLineIndex,
  refundTable,
} from './model.ts';
import { findPaymentSubjectHandler } from './payment-subject-registry.ts';

interface NewRefund {
  attempt: Pick<PaymentAttempt, 'id' | 'currency'>;
  paymentId: string;
  amount: number;
  /** Part of the amount that is a credit. Default: all of it. */
  credit?: number | undefined;
  /** Default: currency of the attempt. */
  currency?: string | undefined;
  /** True when the payment was accepted for its subject; false for an unmatched payment. */
  counts: boolean;
  reason?: string | undefined;
  lines?: readonly RefundedQuantityAtLineIndex[];
  restock?: boolean;
}

/** Stores a refund and queues its job in the transaction of the decision. Returns the refund id. */
export async function scheduleRefund(
  { jobs }: Pick<Services, 'jobs'>,
  tx: QueryHandle,
  { attempt, paymentId, amount, credit, currency, counts, reason, lines = [], restock = false }: NewRefund,
): Promise<string> {
  const refund: Refund = {
    id: newId(),
    attemptId: attempt.id,
    paymentId,
    amount,
    credit,
    currency: currency ?? attempt.currency,
    status: 'PENDING',
    counts,
    reason,
    lines: [...lines],
    restock,
    tries: 0,
    createdAt: now(),
  };
  await tx.write(refundTable.insert, refundTable.insertParams(refund));
  await jobs.enqueue(tx, submitRefundJob, { refundId: refund.id });
  return refund.id;
}

export const submitRefundJob = defineJob(
  'settle-refund',
  z.object({ refundId: z.string() }),
  (services: Services, { refundId }) => submitRefundToProvider(services, refundId),
  { retries: 20, concurrency: 2 },
);

const selectRefund = `select ${refundTable.columns}, a.kind, a.subject_id from ${refundTable.from} join payment_attempts a on a.id = r.attempt_id`;

type RefundRow = UntypedRow & { kind: string; subject_id: string };

/** Idempotent: repeated calls lead to one refund at the provider. Throws when the provider does not answer; the refund stays PENDING then. */
export async function submitRefundToProvider(services: Services, refundId: string): Promise<void> {
  const [row] = await services.db.sql<RefundRow>(`${selectRefund} where r.id = $1 and r.status = 'PENDING'`, [
    refundId,
  ]);
  if (row) await requestAndRecord(services, row);
}

/** Requests the succeeded refunds of an attempt from the provider: a bank can reject a refund days later. Returns those that have failed. */
export async function findRefundsFailedAfterSuccess(
  services: Services,
  attemptId: string,
  dryRun: boolean,
): Promise<Refund[]> {
  const rows = await services.db.sql<RefundRow>(
    `${selectRefund} where r.attempt_id = $1 and r.status = 'SUCCEEDED' and r.provider_refund_id is not null order by r.id`,
    [attemptId],
  );
  const failed: Refund[] = [];
  for (const row of rows) {
    const refund = refundTable.read(row);
    const { status } = dryRun ? await requestRefund(services, refund) : await requestAndRecord(services, row);
    if (status === 'failed') failed.push(refund);
  }
  return failed;
}

async function requestAndRecord(services: Services, row: RefundRow): Promise<ProviderRefund> {
  const refund = refundTable.read(row);
  const providerRefund = await requestRefund(services, refund);
  await services.db.transaction(async (tx) => {
    await findPaymentSubjectHandler(row.kind)?.applyProviderRefund(
      services,
      tx,
      refund,
      providerRefund,
      row.subject_id,
    );
  });
  if (providerRefund.status === 'failed')
    services.log.error(
      { refundId: refund.id, reason: providerRefund.reason },
      'payment provider rejected a refund',
    );
  return providerRefund;
}

async function requestRefund({ payments, db }: Services, refund: Refund): Promise<ProviderRefund> {
  const { paymentId, amount, currency, providerRefundId, createdAt: since } = refund;
  const key = idempotencyKey(refund);
  try {
    const providerRefund = await callPaymentProvider({ db, payments }, () =>
      providerRefundId === undefined
        ? payments.refund({ paymentId, amount, currency, key, since })
        : payments.findRefund(providerRefundId),
    );
    return { ...providerRefund, key };
  } catch (error) {
    if (!(error instanceof PaymentRejectedError)) throw error;
    return { id: providerRefundId ?? '', key, status: 'failed', reason: error.message };
  }
}

/** Idempotency key at the provider: every retry of a failed refund is a new refund there. */
const idempotencyKey = ({ id, tries }: Refund): string => (tries > 0 ? `${id}:${tries}` : id);

/** Finds the refund of an event by the id of the provider or by our idempotency key. */
export async function findRefundForEvent(
  tx: QueryHandle,
  { id, key }: { id: string; key?: string | undefined },
): Promise<{ refund: Refund; kind: string; subjectId: string } | undefined> {
  const [row] = await tx.sql<RefundRow>(
    `${selectRefund} where r.provider_refund_id = $1 or r.id::text = $2`,
    [id, key?.split(':')[0] ?? null],
  );
  return row && { refund: refundTable.read(row), kind: row.kind, subjectId: row.subject_id };
}

/** Next status of a refund: FAILED is final; SUCCEEDED can only become FAILED. Pure. */
export function computeNextRefundStatus(
  status: Refund['status'],
  providerStatus: ProviderRefund['status'],
): Refund['status'] {
  if (status === 'FAILED' || providerStatus === 'pending') return status;
  return providerStatus === 'failed' ? 'FAILED' : 'SUCCEEDED';
}

/** Records the answer of the provider. The caller holds the lock of the subject. Undefined when the status is unchanged. */
export async function recordProviderRefund(
  tx: QueryHandle,
  refundId: string,
  providerRefund: ProviderRefund,
): Promise<{ before: Refund; refund: Refund } | undefined> {
  const [row] = await tx.sql<UntypedRow>(
    `select ${refundTable.columns} from ${refundTable.from} where r.id = $1 for update`,
    [refundId],
  );
  const before = row && refundTable.read(row);
  if (!before) return undefined;
  // A retried refund has a new key and a new provider id: answers about the previous ones are stale.
  if (providerRefund.key !== undefined && providerRefund.key !== idempotencyKey(before)) return undefined;
  if (
    before.providerRefundId !== undefined &&
    providerRefund.id !== '' &&
    before.providerRefundId !== providerRefund.id
  )
    return undefined;
  const status = computeNextRefundStatus(before.status, providerRefund.status);
  const hasRestocked = before.restock && before.status === 'SUCCEEDED' && status === 'FAILED';
  const refund: Refund = {
    ...before,
    status,
    providerRefundId: providerRefund.id === '' ? before.providerRefundId : providerRefund.id,
    // Restocked units have left the order: a retry refunds only their money.
    ...(hasRestocked ? { restock: false, lines: before.lines.filter((line) => line.restock === false) } : {}),
    ...(status === before.status ? {} : { settledAt: now(), failure: providerRefund.reason }),
  };
  await tx.write(refundTable.update, refundTable.updateParams(refund));
  return status === before.status ? undefined : { before, refund };
}

/** Stores the units that a refund has settled, so that a later failure reverts the same ones. */
export const updateRefundLines = (tx: QueryHandle, refund: Refund, lines: Refund['lines']) =>
  tx.write(refundTable.update, refundTable.updateParams({ ...refund, lines }));

/** Kind and id of the subject of a refund. */
export async function findRefundSubject(
  queries: QueryHandle,
  refundId: string,
): Promise<{ kind: string; subjectId: string } | undefined> {
  const [row] = await queries.sql<RefundRow>(`${selectRefund} where r.id = $1`, [refundId]);
  return row && { kind: row.kind, subjectId: row.subject_id };
}

/** Loads the refunds of a subject, oldest first. */
export async function loadSubjectRefunds(
  queries: QueryHandle,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<Refund[]> {
  const rows = await queries.sql<UntypedRow>(
    `${selectRefund} where a.kind = $1 and a.subject_id = $2 order by r.id`,
    [kind, subjectId],
  );
  return rows.map(refundTable.read);
}

/** Loads the refunds of many subjects by subject id, oldest first. */
export async function loadRefundsBySubject(
  queries: QueryHandle,
  kind: PaymentSubjectKind,
  subjectIds: readonly string[],
): Promise<Map<string, Refund[]>> {
  const rows = await queries.sql<RefundRow>(
    `${selectRefund} where a.kind = $1 and a.subject_id = any($2::uuid[]) order by r.id`,
    [kind, subjectIds],
  );
  return rows.reduce(
    (map, row) => map.set(row.subject_id, [...(map.get(row.subject_id) ?? []), refundTable.read(row)]),
    new Map<string, Refund[]>(),
  );
}
