/** Stored payment attempts: create, find, apply provider events, close. Every writer holds the row lock of the subject (order or subscription). */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import type { Queries, TableRow } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import {
  buildPaymentReference,
  type PaymentAttempt,
  type PaymentSubjectKind,
  paymentAttemptTable,
} from './model.ts';
import { type AttemptEvent, type AttemptTransition, transitionAttempt } from './rules.ts';

export interface NewAttempt {
  kind: PaymentSubjectKind;
  subjectId: string;
  item?: string | undefined;
  amount: number;
  currency: string;
  expiresAt: number;
  /** Id of the session or invoice at the provider, when it exists before the attempt. */
  sessionId?: string | undefined;
}

/** Creates attempt number 1 of a new subject, without the query of `createNextAttempt` for the highest number. */
export async function createFirstAttempt(tx: Queries, input: NewAttempt): Promise<PaymentAttempt> {
  return insertAttempt(tx, input, 1);
}

/** Creates an attempt with the next number. The caller holds the lock of the subject. */
export async function createNextAttempt(tx: Queries, input: NewAttempt): Promise<PaymentAttempt> {
  const [last] = await tx.sql<{ number: number | null }>(
    'select max(number) as number from payment_attempts where kind = $1 and subject_id = $2',
    [input.kind, input.subjectId],
  );
  return insertAttempt(tx, input, (last?.number ?? 0) + 1);
}

async function insertAttempt(tx: Queries, input: NewAttempt, number: number): Promise<PaymentAttempt> {
  const time = now();
  const attempt: PaymentAttempt = {
    ...input,
    id: newId(),
    reference: buildPaymentReference(input.kind, input.subjectId, number),
    number,
    state: 'NEW',
    captured: 0,
    refundedElsewhere: 0,
    createdAt: time,
    updatedAt: time,
  };
  await tx.sql(paymentAttemptTable.insert, paymentAttemptTable.insertParams(attempt));
  return attempt;
}

/** SQL condition: the subject with the id expression `id` has a payment attempt. */
export const hasPaymentAttemptSql = (kind: PaymentSubjectKind, id: string): string =>
  `exists (select 1 from payment_attempts a where a.kind = '${kind}' and a.subject_id = ${id})`;

const openCondition = `a.state in ('NEW', 'OPEN', 'PROCESSING')`;
const selectBySubject = `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from} where a.kind = $1 and a.subject_id = $2`;

/** Finds the attempt that can still be paid, or whose payment is processing. */
export async function findOpenAttempt(
  queries: Queries,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await queries.sql<TableRow>(
    `${selectBySubject} and ${openCondition} order by a.number desc limit 1`,
    [kind, subjectId],
  );
  return row && paymentAttemptTable.read(row);
}

export async function findAttemptByReference(
  queries: Queries,
  reference: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await queries.sql<TableRow>(
    `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from} where a.reference = $1`,
    [reference],
  );
  return row && paymentAttemptTable.read(row);
}

/** Finds and locks the attempt of an invoice, for the subject of the first attempt. */
export async function lockAttemptByInvoice(
  tx: Queries,
  { kind, subjectId }: PaymentAttempt,
  invoiceId: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await tx.sql<TableRow>(`${selectBySubject} and a.session_id = $3 for update`, [
    kind,
    subjectId,
    invoiceId,
  ]);
  return row && paymentAttemptTable.read(row);
}

/** Finds and locks the attempt of an event by its reference, or by its payment id when the event has no reference. */
async function lockEventAttempt(
  tx: Queries,
  { reference, paymentId }: PaymentEvent,
): Promise<PaymentAttempt | undefined> {
  const [row] = await tx.sql<TableRow>(
    `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from} where a.reference = $1 or ($1::text is null and a.payment_id = $2) for update`,
    [reference ?? null, paymentId ?? null],
  );
  return row && paymentAttemptTable.read(row);
}

/** Kind and id of the subject of an event, without a lock. */
export async function findEventSubject(
  tx: Queries,
  { reference, paymentId }: PaymentEvent,
): Promise<{ kind: string; id: string }> {
  const [kind = '', id = ''] = reference?.split(':') ?? [];
  if (reference !== undefined || paymentId === undefined) return { kind, id };
  const [row] = await tx.sql<{ kind: string; id: string }>(
    'select kind, subject_id as id from payment_attempts where payment_id = $1 limit 1',
    [paymentId],
  );
  return row ?? { kind, id };
}

export interface AppliedTransition extends AttemptTransition {
  attempt: PaymentAttempt;
}

/** Applies an event to its attempt. Undefined without an attempt. Events other than paid, failed, processing and expired change nothing. */
export async function applyEventToAttempt(
  tx: Queries,
  event: PaymentEvent,
): Promise<AppliedTransition | undefined> {
  const attempt = await lockEventAttempt(tx, event);
  if (!attempt) return undefined;
  const attemptEvent = toAttemptEvent(event);
  if (!attemptEvent) return { attempt, state: attempt.state, effect: 'none' };
  const transition = transitionAttempt(attempt, attemptEvent);
  const isFirstPayment = attemptEvent.type === 'paid' && transition.state !== attempt.state;
  const updated: PaymentAttempt = {
    ...attempt,
    state: transition.state,
    ...(isFirstPayment ? { paymentId: attemptEvent.paymentId, captured: attemptEvent.amount } : {}),
  };
  if (updated.state !== attempt.state) await saveAttempt(tx, updated);
  return { ...transition, attempt: updated };
}

function toAttemptEvent({
  type,
  paymentId,
  amount,
  currency,
  isFinal,
}: PaymentEvent): AttemptEvent | undefined {
  switch (type) {
    case 'paid':
      return paymentId === undefined || amount === undefined || currency === undefined
        ? undefined
        : { type, paymentId, amount, currency };
    case 'failed':
      return { type, isFinal: isFinal ?? false };
    case 'processing':
    case 'expired':
      return { type };
    default:
      return undefined;
  }
}

export async function saveAttempt(tx: Queries, attempt: PaymentAttempt): Promise<void> {
  await tx.sql(
    paymentAttemptTable.update,
    paymentAttemptTable.updateParams({ ...attempt, updatedAt: now() }),
  );
}

export const closePaymentSessionJob = defineJob(
  'close-payment-session',
  z.object({ reference: z.string(), id: z.string().optional() }),
  ({ payments }: Pick<Services, 'payments'>, session) => payments.expireSession(session),
  { retries: 10 },
);

/** Closes the open attempts of a locked subject because the amount due has changed. A payment that still arrives is refunded. */
export async function closeOpenAttempts(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Queries,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<void> {
  const open = await tx.sql<TableRow>(`${selectBySubject} and ${openCondition} for update`, [
    kind,
    subjectId,
  ]);
  for (const attempt of open.map(paymentAttemptTable.read)) {
    const { state } = transitionAttempt(attempt, { type: 'closed' });
    await saveAttempt(tx, { ...attempt, state });
    await jobs.enqueue(tx, closePaymentSessionJob, { reference: attempt.reference, id: attempt.sessionId });
  }
}
