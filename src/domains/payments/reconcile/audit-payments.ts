/** Whether the provider holds what our books say, payment by payment. Asks and changes nothing. */
import type { Services } from '../../../context.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { type AuditFinding, nilId } from '../../../lib/audit-finding.ts';
import { type PaymentAttempt, paymentAttempts } from '../model.ts';

type Asks = Pick<Services, 'db' | 'payments'>;

const batchSize = 200;
/** The provider takes a moment for each: few enough not to be turned away. */
const askedAtOnce = 10;

/** What went back of a payment, by our hands. */
interface Returned {
  succeeded: number;
  pending: number;
}

// A page that was paid twice has a second payment, known by its refund alone.
const select = `select ${paymentAttempts.columns}, coalesce((
    select json_agg(json_build_object('paymentId', p.payment_id, 'succeeded', p.succeeded, 'pending', p.pending)) from (
      select r.payment_id, coalesce(sum(r.amount) filter (where r.status = 'SUCCEEDED'), 0) as succeeded,
        coalesce(sum(r.amount) filter (where r.status = 'PENDING'), 0) as pending
      from refunds r where r.attempt_id = a.id group by r.payment_id) p), '[]') as returned
  from ${paymentAttempts.from} where a.id > $1 and (a.payment_id is not null or a.session_id is not null)
  order by a.id limit ${batchSize}`;

type Found = TableRow & { returned: (Returned & { paymentId: string })[] };

/** `asked` is told after each attempt. */
export async function* auditPayments(
  services: Asks,
  asked: () => void = () => {},
): AsyncGenerator<AuditFinding> {
  for (let after = nilId; ; ) {
    const rows = await services.db.sql<Found>(select, [after]);
    for (let first = 0; first < rows.length; first += askedAtOnce) {
      const some = rows.slice(first, first + askedAtOnce);
      for (const findings of await Promise.all(some.map((row) => findingsOf(services, row)))) {
        yield* findings;
        asked();
      }
    }
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id ?? after;
  }
}

async function findingsOf(services: Asks, row: Found): Promise<AuditFinding[]> {
  const attempt = paymentAttempts.read(row);
  const problems = await problemsOf(services, attempt, row.returned);
  return problems.map((problem) => ({ about: attempt.reference, problem }));
}

async function problemsOf(
  services: Asks,
  attempt: PaymentAttempt,
  returned: Found['returned'],
): Promise<string[]> {
  const { paymentId, sessionId, captured, refundedElsewhere, state } = attempt;
  const nothing: Returned = { succeeded: 0, pending: 0 };
  const own = returned.find((one) => one.paymentId === paymentId) ?? nothing;
  const seconds = returned.filter((one) => one.paymentId !== paymentId);
  const first =
    paymentId === undefined
      ? await unpaidProblems(services, sessionId ?? '')
      : await paymentProblems(services, paymentId, {
          captured,
          succeeded: own.succeeded + refundedElsewhere,
          pending: own.pending,
          isOurs: state === 'PAID',
        });
  const others = await Promise.all(
    seconds.map(({ paymentId: id, succeeded, pending }) =>
      paymentProblems(services, id, { captured: succeeded + pending, succeeded, pending, isOurs: false }),
    ),
  );
  return [...first, ...others.flat()];
}

interface Books extends Returned {
  captured: number;
  /** False for money that fits nothing: all of it goes back. */
  isOurs: boolean;
}

async function paymentProblems({ payments }: Asks, id: string, books: Books): Promise<string[]> {
  const { captured, succeeded, pending, isOurs } = books;
  const held = await payments.findPayment(id);
  if (!held) return [`the provider knows no payment ${id}`];
  const back = succeeded + pending;
  return [
    held.captured !== captured && `captured ${captured} here, ${held.captured} at the provider (${id})`,
    // What is on its way the provider may count already.
    (held.refunded < succeeded || held.refunded > back) &&
      `refunded ${succeeded} here and ${pending} on its way, ${held.refunded} at the provider (${id})`,
    back > captured && `${back} went back of ${captured} (${id})`,
    !isOurs && back < captured && `${captured} should go back, ${back} does (${id})`,
  ].filter((problem) => problem !== false);
}

async function unpaidProblems({ payments }: Asks, sessionId: string): Promise<string[]> {
  const found = await payments.findSession(sessionId);
  return found?.state === 'paid' ? [`paid at the provider, not here (${found.paymentId})`] : [];
}
