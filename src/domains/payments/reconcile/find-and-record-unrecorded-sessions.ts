/** Finds paid sessions at the provider that no payment attempt records, such as after a restore to an earlier point, and applies them like events. */
import type { Services } from '../../../context.ts';
import { businessServersOf } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import type { PaymentEvent, PaymentSessionState } from '../../../ports/payments.ts';
import { receivePaymentEvent } from '../receive-payment-event.ts';
import type { PaymentDifference } from './reconcile-with-provider.ts';

const daySeconds = 86_400;
/** Days that the audit, `duet reconcile` and the daily job search. */
export const auditedSessionDays = 30;

interface UnrecordedSession extends PaymentSessionState {
  id: string;
  reference: string;
}

// Sessions that an attempt has stored are reconciled by their attempt, and a NEW attempt searches its own.
const unstoredSessions = `select s.id, s.reference from unnest($1::text[], $2::text[]) as s(id, reference)
  where s.reference ~ '^(order|subscription):[0-9a-f-]{36}(:[0-9]+)?$'
    and not exists (select 1 from payment_attempts a where a.reference = s.reference
      and (a.session_id = s.id or (a.session_id is null and a.state = 'NEW')))`;

const isRecordedPayment = `select 1 from payment_events where payment_id = $1 and type = 'paid'
  union all select 1 from payment_attempts where payment_id = $1
  union all select 1 from refunds where payment_id = $1 limit 1`;

/** Searches the sessions that were created in the last `days`, one day at a time. Throws when the provider does not answer. */
export async function* findUnrecordedSessions(
  { db, payments }: Pick<Services, 'db' | 'payments'>,
  days: number,
): AsyncGenerator<UnrecordedSession> {
  const time = now();
  const servers = businessServersOf(db);
  for (let age = days; age > 0; age -= 1) {
    const createdFrom = time - age * daySeconds;
    const createdTo = createdFrom + daySeconds - (age === 1 ? 0 : 1);
    const listedSessions = await payments.listSessions({ createdFrom, createdTo, isComplete: true });
    if (listedSessions.length === 0) continue;
    let sessions: readonly { id: string; reference: string }[] = listedSessions;
    for (const server of servers)
      sessions = await server.sql<{ id: string; reference: string }>(unstoredSessions, [
        sessions.map(({ id }) => id),
        sessions.map(({ reference }) => reference),
      ]);
    for (const session of sessions) {
      const providerSession = await payments.findSession(session.id);
      if (providerSession?.state !== 'paid') continue;
      const payment = [providerSession.paymentId ?? session.id];
      const recordedPayments = await Promise.all(
        servers.map((server) => server.sql(isRecordedPayment, payment)),
      );
      if (recordedPayments.flat().length === 0) yield { ...providerSession, ...session };
    }
  }
}

interface ReconcileSessionsOptions {
  days: number;
  dryRun?: boolean;
  onDifference?(difference: PaymentDifference): void;
}

/** Stores each session as a payment event. A payment without an order or attempt is listed for the operator, like any other event. */
export async function reconcileUnrecordedSessions(
  services: Services,
  { days, dryRun = false, onDifference }: ReconcileSessionsOptions,
): Promise<{ differences: number }> {
  let differences = 0;
  for await (const { id, state: _state, ...payment } of findUnrecordedSessions(services, days)) {
    differences += 1;
    onDifference?.({ about: `session ${payment.reference}`, ours: 'unknown', theirs: 'paid' });
    const event: PaymentEvent = {
      id: `session:${id}`,
      type: 'paid',
      sessionId: id,
      isFinal: true,
      ...payment,
    };
    if (!dryRun) await receivePaymentEvent(services, event);
  }
  return { differences };
}

async function searchSessions(services: Services, days: number): Promise<void> {
  await reconcileUnrecordedSessions(services, {
    days,
    onDifference: (difference) => services.log.warn(difference, 'paid session without a payment attempt'),
  });
}

export const findRecentSessionsJob = defineJob(
  'find-recent-sessions',
  noJobDataSchema,
  (services: Services) => searchSessions(services, 2),
  { cron: '20 * * * *', retries: 0, timeout: 600 },
);

export const findLostSessionsJob = defineJob(
  'find-lost-sessions',
  noJobDataSchema,
  (services: Services) => searchSessions(services, auditedSessionDays),
  { cron: '40 3 * * *', retries: 0, timeout: 3600 },
);
