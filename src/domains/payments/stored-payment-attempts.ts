/** Stored payment attempts: create, find, apply provider events. Every writer holds the row lock of the subject (order or subscription). */
import type { QueryHandle, UntypedRow } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
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
} from './payment-attempt-state-machine.ts';

export interface NewPaymentAttempt {
  kind: PaymentSubjectKind;
  subjectId: string;
  /** Required if the statement that inserts the attempt also inserts its subject, which triggers cannot find then. */
  businessId?: string | undefined;
  item?: string | undefined;
  amount: number;
  currency: string;
  expiresAt: number;
  /** Id of the session or invoice at the provider, when it exists before the attempt. */
  sessionId?: string | undefined;
}

/** Inserts an attempt that `buildPaymentAttempt` has built. */
export async function insertPaymentAttempt(tx: QueryHandle, attempt: PaymentAttempt): Promise<void> {
  await tx.write(paymentAttemptTable.insert, paymentAttemptTable.insertParams(attempt));
}

/** SQL that inserts the attempt of a parameter built by `toPaymentAttemptParam`, with `source` as its condition. */
export const buildInsertPaymentAttemptSql = (param: string, source: string): string =>
  paymentAttemptTable.insertRows(param, source);

export const toPaymentAttemptParam = (attempt: PaymentAttempt): string =>
  paymentAttemptTable.rowsParam([attempt]);

/** Creates an attempt with the next number. The caller holds the lock of the subject. */
export async function createNextPaymentAttempt(
  tx: QueryHandle,
  input: NewPaymentAttempt,
): Promise<PaymentAttempt> {
  const [last] = await tx.sql<{ number: number | null }>(
    'select max(number) as number from payment_attempts where kind = $1 and subject_id = $2',
    [input.kind, input.subjectId],
  );
  const attempt = buildPaymentAttempt(input, (last?.number ?? 0) + 1);
  await insertPaymentAttempt(tx, attempt);
  return attempt;
}

/** Attempt number 1 of a new subject needs no query for the highest number. */
export function buildPaymentAttempt(input: NewPaymentAttempt, number = 1): PaymentAttempt {
  const time = now();
  return {
    id: newId(),
    reference: buildPaymentReference(input.kind, input.subjectId, number),
    number,
    state: 'NEW',
    captured: 0,
    refundedElsewhere: 0,
    createdAt: time,
    updatedAt: time,
    ...input,
  };
}

/** SQL condition: the subject with the id expression `id` has a payment attempt. */
export const buildPaymentAttemptExistsConditionSql = (kind: PaymentSubjectKind, id: string): string =>
  `exists (select 1 from payment_attempts a where a.kind = '${kind}' and a.subject_id = ${id})`;

const openCondition = `a.state in ('NEW', 'OPEN', 'PROCESSING')`;

/** SQL condition: the subject with the id expression `id` has a payment attempt that can still be paid. */
export const buildOpenPaymentAttemptConditionSql = (kind: PaymentSubjectKind, id: string): string =>
  `exists (select 1 from payment_attempts a where a.kind = '${kind}' and a.subject_id = ${id} and ${openCondition})`;

const selectByReference = `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from} where a.reference = $1`;
const selectBySubject = `select ${paymentAttemptTable.columns} from ${paymentAttemptTable.from} where a.kind = $1 and a.subject_id = $2`;

/** Finds the attempt that can still be paid, or whose payment is processing. */
export async function findOpenPaymentAttempt(
  queries: QueryHandle,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await queries.sql<UntypedRow>(
    `${selectBySubject} and ${openCondition} order by a.number desc limit 1`,
    [kind, subjectId],
  );
  return row && paymentAttemptTable.read(row);
}

export async function lockOpenPaymentAttempts(
  tx: QueryHandle,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<PaymentAttempt[]> {
  const rows = await tx.sql<UntypedRow>(`${selectBySubject} and ${openCondition} for update`, [
    kind,
    subjectId,
  ]);
  return rows.map(paymentAttemptTable.read);
}

export type PaymentAttemptSummary = Pick<PaymentAttempt, 'reference' | 'state' | 'amount' | 'currency'>;

/** All attempts by subject id; subjects without an attempt are omitted. */
export async function loadPaymentAttemptSummaries(
  queries: QueryHandle,
  kind: PaymentSubjectKind,
  subjectIds: readonly string[],
): Promise<Map<string, PaymentAttemptSummary[]>> {
  const rows = await queries.sql<{ id: string; attempts: PaymentAttemptSummary[] }>(
    `select a.subject_id as id, json_agg(json_build_object('reference', a.reference, 'state', a.state, 'amount', a.amount, 'currency', a.currency)
       order by a.number) as attempts
     from payment_attempts a where a.kind = $1 and a.subject_id = any($2::uuid[]) group by a.subject_id`,
    [kind, subjectIds],
  );
  return new Map(rows.map(({ id, attempts }) => [id, attempts]));
}

export async function findPaymentAttemptByReference(
  queries: QueryHandle,
  reference: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await queries.sql<UntypedRow>(selectByReference, [reference]);
  return row && paymentAttemptTable.read(row);
}

/** Waits for a request that is storing the payment page of the attempt. Lock the subject first. */
export async function lockPaymentAttemptByReference(
  tx: QueryHandle,
  reference: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await tx.sql<UntypedRow>(`${selectByReference} for update`, [reference]);
  return row && paymentAttemptTable.read(row);
}

/** Finds and locks the attempt of an invoice, for the subject of the first attempt. */
export async function lockPaymentAttemptByInvoice(
  tx: QueryHandle,
  { kind, subjectId }: PaymentAttempt,
  invoiceId: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await tx.sql<UntypedRow>(`${selectBySubject} and a.session_id = $3 for update`, [
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
  const [row] = await tx.sql<UntypedRow>(
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
  if (updated.state !== attempt.state) await updatePaymentAttempt(tx, updated);
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

export async function updatePaymentAttempt(tx: QueryHandle, attempt: PaymentAttempt): Promise<void> {
  await tx.write(
    paymentAttemptTable.update,
    paymentAttemptTable.updateParams({ ...attempt, updatedAt: now() }),
  );
}
