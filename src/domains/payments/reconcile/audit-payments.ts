/** Read-only audit: compares stored payments and refunds with the provider, payment by payment. */
import type { Services } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import type { ConsistencyAuditFinding } from '../../../lib/consistency-audit-finding.ts';
import { nilUuid } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { loadUnmatchedPayments } from '../failed-refunds-and-unmatched-payments.ts';
import { type PaymentAttempt, paymentAttemptTable } from '../model.ts';
import { auditedSessionDays, findUnrecordedSessions } from './find-and-record-unrecorded-sessions.ts';
import { findAttemptSession } from './find-attempt-session.ts';

type AuditServices = Pick<Services, 'db' | 'payments'>;

const batchSize = 200;
/** Concurrent requests to the provider; low enough to stay below its rate limits. */
const concurrency = 10;

/** Refunds of a payment made through the gateway. */
interface RefundTotals {
  succeeded: number;
  pending: number;
}

// A session that was paid twice has a second payment, which only its refund records.
const select = `select ${paymentAttemptTable.columns}, coalesce((
    select json_agg(json_build_object('paymentId', p.payment_id, 'succeeded', p.succeeded, 'pending', p.pending)) from (
      select r.payment_id, coalesce(sum(r.amount) filter (where r.status = 'SUCCEEDED'), 0) as succeeded,
        coalesce(sum(r.amount) filter (where r.status = 'PENDING'), 0) as pending
      from refunds r where r.attempt_id = a.id group by r.payment_id) p), '[]') as returned
  from ${paymentAttemptTable.from} where a.id > $1 and (a.payment_id is not null or a.session_id is not null or a.state = 'NEW')
  order by a.id limit ${batchSize}`;

type AttemptRow = UntypedRow & { returned: (RefundTotals & { paymentId: string })[] };

/** A refund without an answer of the provider is overdue after a day: jobs and reconciliation request it every few minutes. */
const unconfirmedRefundSeconds = 86_400;
/** A refund that the provider has accepted is overdue after 14 days: banks take up to 10 working days. */
const acceptedRefundSeconds = 14 * 86_400;

const overdueRefunds = `select a.reference as about, 'refund ' || r.id || ' of ' || r.amount || ' ' || r.currency || ' is PENDING since ' ||
    to_char(to_timestamp(r.created_at) at time zone 'UTC', 'YYYY-MM-DD') as problem
  from refunds r join payment_attempts a on a.id = r.attempt_id where r.status = 'PENDING'
    and r.created_at < $1::bigint - case when r.provider_refund_id is null then ${unconfirmedRefundSeconds} else ${acceptedRefundSeconds} end
  order by r.id`;

/** Finds refunds that have been PENDING for too long. */
export const auditPendingRefunds = ({ db }: Pick<Services, 'db'>): Promise<ConsistencyAuditFinding[]> =>
  db.sql<ConsistencyAuditFinding>(overdueRefunds, [now()]);

/** Calls `onChecked` after each attempt. */
export async function* auditPayments(
  services: AuditServices,
  onChecked: () => void = () => {},
): AsyncGenerator<ConsistencyAuditFinding> {
  for (let after = nilUuid; ; ) {
    const rows = await services.db.sql<AttemptRow>(select, [after]);
    for (let first = 0; first < rows.length; first += concurrency) {
      const batch = rows.slice(first, first + concurrency);
      for (const findings of await Promise.all(batch.map((row) => findingsOf(services, row)))) {
        yield* findings;
        onChecked();
      }
    }
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id ?? after;
  }
}

async function findingsOf(services: AuditServices, row: AttemptRow): Promise<ConsistencyAuditFinding[]> {
  const attempt = paymentAttemptTable.read(row);
  const problems = await problemsOf(services, attempt, row.returned);
  return problems.map((problem) => ({ about: attempt.reference, problem }));
}

async function problemsOf(
  services: AuditServices,
  attempt: PaymentAttempt,
  returned: AttemptRow['returned'],
): Promise<string[]> {
  const { paymentId, captured, refundedElsewhere, state } = attempt;
  const none: RefundTotals = { succeeded: 0, pending: 0 };
  const firstRefunds = returned.find((totals) => totals.paymentId === paymentId) ?? none;
  const otherRefunds = returned.filter((totals) => totals.paymentId !== paymentId);
  const first =
    paymentId === undefined
      ? await unpaidProblems(services, attempt)
      : await paymentProblems(services, paymentId, {
          captured,
          succeeded: firstRefunds.succeeded + refundedElsewhere,
          pending: firstRefunds.pending,
          isAccepted: state === 'PAID',
        });
  const others = await Promise.all(
    otherRefunds.map(({ paymentId: id, succeeded, pending }) =>
      paymentProblems(services, id, { captured: succeeded + pending, succeeded, pending, isAccepted: false }),
    ),
  );
  return [...first, ...others.flat()];
}

interface RecordedPayment extends RefundTotals {
  captured: number;
  /** False for an unmatched payment, which must be refunded in full. */
  isAccepted: boolean;
}

async function paymentProblems(
  { payments }: AuditServices,
  id: string,
  recorded: RecordedPayment,
): Promise<string[]> {
  const { captured, succeeded, pending, isAccepted } = recorded;
  const atProvider = await payments.findPayment(id);
  if (!atProvider) return [`payment ${id} does not exist at the provider`];
  const refunded = succeeded + pending;
  return [
    atProvider.captured !== captured &&
      `captured ${captured} here, ${atProvider.captured} at the provider (${id})`,
    // The provider may already include pending refunds.
    (atProvider.refunded < succeeded || atProvider.refunded > refunded) &&
      `refunded ${succeeded} here plus ${pending} pending, ${atProvider.refunded} at the provider (${id})`,
    refunded > captured && `refunds of ${refunded} exceed the captured amount ${captured} (${id})`,
    !isAccepted &&
      refunded < captured &&
      `refunds of ${refunded} do not cover the unmatched payment of ${captured} (${id})`,
  ].filter((problem) => problem !== false);
}

async function unpaidProblems(services: AuditServices, attempt: PaymentAttempt): Promise<string[]> {
  const session = await findAttemptSession(services, attempt);
  return session?.state === 'paid' ? [unrecordedProblem(session.paymentId)] : [];
}

const unrecordedProblem = (paymentId = '') => `paid at the provider, not recorded here (${paymentId})`;

/** Finds paid sessions without a payment attempt, and recorded payments that match nothing and were not refunded at the provider. */
export async function* auditUnmatchedPayments(
  services: AuditServices,
): AsyncGenerator<ConsistencyAuditFinding> {
  for await (const { reference, paymentId } of findUnrecordedSessions(services, auditedSessionDays))
    yield { about: reference, problem: unrecordedProblem(paymentId) };
  for (const { id, reference, paymentId, amount, currency } of await loadUnmatchedPayments(services.db)) {
    const payment = await services.payments.findPayment(paymentId);
    if (!payment || payment.refunded >= payment.captured) continue;
    const about = reference ?? `payment event ${id}`;
    yield {
      about,
      problem: `payment of ${amount} ${currency} matches nothing here, refund it at the provider (${paymentId})`,
    };
  }
}
