/** Stored payment attempts: create, find, apply provider events, close. Every writer holds the row lock of the subject (order or subscription). */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import type { QueryHandle, TableRow } from '../../db/index.ts';
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
import {
  type PaymentAttemptEvent,
  type PaymentAttemptTransition,
  transitionPaymentAttempt,
} from './rules.ts';

export interface NewPaymentAttempt {
  kind: PaymentSubjectKind;
  subjectId: string;
  item?: string | undefined;
  amount: number;
  currency: string;
  expiresAt: number;
  /** Id of the session or invoice at the provider, when it exists before the attempt. */
  sessionId?: string | undefined;
}

/** Creates attempt number 1 of a new subject, without the query of `createNextPaymentAttempt` for the highest number. */
export async function createFirstPaymentAttempt(
  tx: QueryHandle,
  input: NewPaymentAttempt,
): Promise<PaymentAttempt> {
  return insertAttempt(tx, input, 1);
}

/** Creates an attempt with the next number. The caller holds the lock of the subject. */
export async function createNextPaymentAttempt(
  tx: QueryHandle,
  input: NewPaymentAttempt,
): Promise<PaymentAttempt> {
  const [last] = await tx.sql<{ number: number | null }>(
    'select max(number) as number from payment_attempts where kind = $1 and subject_id = $2',
    [input.kind, input.subjectId],
  );
  return insertAttempt(tx, input, (last?.number ?? 0) + 1);
}

async function insertAttempt(
  tx: QueryHandle,
  input: NewPaymentAttempt,
  number: number,
): Promise<PaymentAttempt> {
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
export async function findOpenPaymentAttempt(
  queries: QueryHandle,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await queries.sql<TableRow>(
    `${selectBySubject} and ${openCondition} order by a.number desc limit 1`,
    [kind, subjectId],
  );
  return row && paymentAttemptTable.read(row);
}

export async function findPaymentAttemptByReference(
  queries: QueryHandle,
  reference: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await queries.sql<TableRow>(
    `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from} where a.reference = $1`,
    [reference],
  );
  return row && paymentAttemptTable.read(row);
}

/** Finds and locks the attempt of an invoice, for the subject of the first attempt. */
export async function lockPaymentAttemptByInvoice(
  tx: QueryHandle,
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
  tx: QueryHandle,
  { reference, paymentId }: PaymentEvent,
): Promise<PaymentAttempt | undefined> {
  const [row] = await tx.sql<TableRow>(
    `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from} where a.reference = $1 or ($1::text is null and a.payment_id = $2) for update`,
    [reference ?? null, paymentId ?? null],
  );
  return row && paymentAttemptTable.read(row);
}

/** Kind and id of the subject of an event, without a lock. */
export async function findPaymentEventSubject(
  tx: QueryHandle,
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

export interface AppliedAttemptTransition extends PaymentAttemptTransition {
  attempt: PaymentAttempt;
}

/** Applies an event to its attempt. Undefined without an attempt. Events other than paid, failed, processing and expired change nothing. */
export async function applyEventToPaymentAttempt(
  tx: QueryHandle,
  event: PaymentEvent,
): Promise<AppliedAttemptTransition | undefined> {
  const attempt = await lockEventAttempt(tx, event);
  if (!attempt) return undefined;
  const attemptEvent = toAttemptEvent(event);
  if (!attemptEvent) return { attempt, state: attempt.state, effect: 'none' };
  const transition = transitionPaymentAttempt(attempt, attemptEvent);
  const isFirstPayment = attemptEvent.type === 'paid' && transition.state !== attempt.state;
  const updated: PaymentAttempt = {
    ...attempt,
    state: transition.state,
    ...(isFirstPayment ? { paymentId: attemptEvent.paymentId, captured: attemptEvent.amount } : {}),
  };
  if (updated.state !== attempt.state) await savePaymentAttempt(tx, updated);
  return { ...transition, attempt: updated };
}

function toAttemptEvent({
  type,
  paymentId,
  amount,
  currency,
  isFinal,
}: PaymentEvent): PaymentAttemptEvent | undefined {
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

export async function savePaymentAttempt(tx: QueryHandle, attempt: PaymentAttempt): Promise<void> {
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
export async function closeOpenPaymentAttempts(
  { jobs }: Pick<Services, 'jobs'>,
  tx: QueryHandle,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<void> {
  const open = await tx.sql<TableRow>(`${selectBySubject} and ${openCondition} for update`, [
    kind,
    subjectId,
  ]);
  for (const attempt of open.map(paymentAttemptTable.read)) {
    const { state } = transitionPaymentAttempt(attempt, { type: 'closed' });
    await savePaymentAttempt(tx, { ...attempt, state });
    await jobs.enqueue(tx, closePaymentSessionJob, { reference: attempt.reference, id: attempt.sessionId });
  }
}
