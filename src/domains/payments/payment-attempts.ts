/** Attempts in the database: opened, moved by what the provider says, closed. Whoever moves one holds the lock of its subject. */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import type { TableRow } from '../../db/records/table.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import {
  buildPaymentReference,
  type PaymentAttempt,
  type PaymentSubjectKind,
  paymentAttempts,
} from './model.ts';
import { type AttemptEvent, type AttemptTransition, transitionAttempt } from './rules.ts';

export interface NewAttempt {
  kind: PaymentSubjectKind;
  subjectId: string;
  item?: string | undefined;
  amount: number;
  currency: string;
  expiresAt: number;
  /** The provider's id of the page or bill, where that is known before. */
  sessionId?: string | undefined;
}

/** The first attempt of something new; see `nextAttempt` for those that follow. */
export async function createFirstAttempt(tx: Queries, wanted: NewAttempt): Promise<PaymentAttempt> {
  return insert(tx, wanted, 1);
}

/** For a subject that is locked: attempts are numbered one after the other. */
export async function createNextAttempt(tx: Queries, wanted: NewAttempt): Promise<PaymentAttempt> {
  const [last] = await tx.sql<{ number: number | null }>(
    'select max(number) as number from payment_attempts where kind = $1 and subject_id = $2',
    [wanted.kind, wanted.subjectId],
  );
  return insert(tx, wanted, (last?.number ?? 0) + 1);
}

async function insert(tx: Queries, wanted: NewAttempt, number: number): Promise<PaymentAttempt> {
  const time = now();
  const attempt: PaymentAttempt = {
    ...wanted,
    id: newId(),
    reference: buildPaymentReference(wanted.kind, wanted.subjectId, number),
    number,
    state: 'NEW',
    captured: 0,
    refundedElsewhere: 0,
    createdAt: time,
    updatedAt: time,
  };
  await tx.sql(paymentAttempts.insert, paymentAttempts.insertParams(attempt));
  return attempt;
}

/** SQL: somebody has been asked to pay for the subject whose id is in `id`. */
export const hasPaymentAttemptSql = (kind: PaymentSubjectKind, id: string): string =>
  `exists (select 1 from payment_attempts a where a.kind = '${kind}' and a.subject_id = ${id})`;

const live = `a.state in ('NEW', 'OPEN', 'PROCESSING')`;
const ofSubject = `select ${paymentAttempts.columns} from ${paymentAttempts.from} where a.kind = $1 and a.subject_id = $2`;

/** The attempt that can still be paid, or whose money is on its way. */
export async function findOpenAttempt(
  queries: Queries,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await queries.sql<TableRow>(`${ofSubject} and ${live} order by a.number desc limit 1`, [
    kind,
    subjectId,
  ]);
  return row && paymentAttempts.read(row);
}

export async function findAttemptByReference(
  queries: Queries,
  reference: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await queries.sql<TableRow>(
    `select ${paymentAttempts.columns} from ${paymentAttempts.from} where a.reference = $1`,
    [reference],
  );
  return row && paymentAttempts.read(row);
}

/** The attempt that a bill has already, of what another attempt began. */
export async function lockAttemptByInvoice(
  tx: Queries,
  { kind, subjectId }: PaymentAttempt,
  billId: string,
): Promise<PaymentAttempt | undefined> {
  const [row] = await tx.sql<TableRow>(`${ofSubject} and a.session_id = $3 for update`, [
    kind,
    subjectId,
    billId,
  ]);
  return row && paymentAttempts.read(row);
}

/** Some events name only the payment, and some only what was paid for. */
async function attemptOf(
  tx: Queries,
  { reference, paymentId }: PaymentEvent,
): Promise<PaymentAttempt | undefined> {
  const [row] = await tx.sql<TableRow>(
    `select ${paymentAttempts.columns} from ${paymentAttempts.from} where a.reference = $1 or ($1::text is null and a.payment_id = $2) for update`,
    [reference ?? null, paymentId ?? null],
  );
  return row && paymentAttempts.read(row);
}

/** What an event is about; the subject is not locked yet. */
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

/** Applies an event to its attempt. Undefined when there is none. Events that are not about paying leave it as it is. */
export async function applyEventToAttempt(
  tx: Queries,
  event: PaymentEvent,
): Promise<AppliedTransition | undefined> {
  const attempt = await attemptOf(tx, event);
  if (!attempt) return undefined;
  const happened = happenedIn(event);
  if (!happened) return { attempt, state: attempt.state, effect: 'none' };
  const taken = transitionAttempt(attempt, happened);
  const isFirstMoney = happened.type === 'paid' && taken.state !== attempt.state;
  const moved: PaymentAttempt = {
    ...attempt,
    state: taken.state,
    ...(isFirstMoney ? { paymentId: happened.paymentId, captured: happened.amount } : {}),
  };
  if (moved.state !== attempt.state) await saveAttempt(tx, moved);
  return { ...taken, attempt: moved };
}

function happenedIn({ type, paymentId, amount, currency, isFinal }: PaymentEvent): AttemptEvent | undefined {
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
  await tx.sql(paymentAttempts.update, paymentAttempts.updateParams({ ...attempt, updatedAt: now() }));
}

export const closePaymentSessionJob = defineJob(
  'close-payment-session',
  z.object({ reference: z.string(), id: z.string().optional() }),
  ({ payments }: Pick<Services, 'payments'>, session) => payments.expireSession(session),
  { retries: 10 },
);

/** Closes the pages of a locked subject: what they ask for is no longer what is due. Money that comes all the same goes back. */
export async function closeOpenAttempts(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Queries,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<void> {
  const open = await tx.sql<TableRow>(`${ofSubject} and ${live} for update`, [kind, subjectId]);
  for (const attempt of open.map(paymentAttempts.read)) {
    const { state } = transitionAttempt(attempt, { type: 'closed' });
    await saveAttempt(tx, { ...attempt, state });
    await jobs.enqueue(tx, closePaymentSessionJob, { reference: attempt.reference, id: attempt.sessionId });
  }
}
