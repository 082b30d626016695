/** Compares sessions, pending refunds and refunded amounts with the provider; repairs differences unless `dryRun` is set. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent } from '../../../ports/payments.ts';
import type { PaymentAttempt, Refund } from '../model.ts';
import { applyPaymentEvent } from '../receive-payment-event.ts';
import {
  findRefundsFailedAfterSuccess,
  submitRefundToProvider,
} from '../schedule-submit-and-load-refunds.ts';
import { findAttemptSession } from './find-attempt-session.ts';
import { missingSessionState, syncPaymentSession } from './sync-payment-session.ts';

export interface PaymentDifference {
  /** Subject of the difference: a session by its reference, a payment or a refund by its id. */
  about: string;
  ours: string;
  theirs: string;
}

/** Throws when the provider does not answer. */
export type ReconcileWithProvider<Item> = (
  services: Services,
  item: Item,
  dryRun: boolean,
) => Promise<PaymentDifference[]>;

const stateNames = { NEW: 'new', OPEN: 'open', PROCESSING: 'processing' } as const;

export const reconcileSessionWithProvider: ReconcileWithProvider<PaymentAttempt> = async (
  services,
  attempt,
  dryRun,
) => {
  const { reference, sessionId: id, state, createdAt } = attempt;
  const isClosed = state !== 'NEW' && state !== 'OPEN' && state !== 'PROCESSING';
  // Expire before the query, so that no payment can happen in between.
  if (isClosed && !dryRun) await services.payments.expireSession({ reference, id, createdAt });
  const theirs = dryRun
    ? ((await findAttemptSession(services, attempt))?.state ?? missingSessionState(attempt))
    : await syncPaymentSession(services, attempt);
  // A session that was closed while a bank transfer is processing is queried until the transfer settles.
  const expected = state === 'NEW' ? 'open' : state.toLowerCase();
  const differs = isClosed ? theirs === 'paid' : theirs !== expected;
  return differs
    ? [{ about: `session ${reference}`, ours: isClosed ? 'closed' : stateNames[state], theirs }]
    : [];
};

/** Also requests a refund that never reached the provider. */
export const reconcileRefundWithProvider: ReconcileWithProvider<Refund> = async (
  services,
  { id, providerRefundId },
  dryRun,
) => {
  if (!dryRun) await submitRefundToProvider(services, id);
  const theirs =
    dryRun && providerRefundId !== undefined
      ? (await services.payments.findRefund(providerRefundId)).status
      : await refundStatus(services, id);
  return theirs === 'pending' ? [] : [{ about: `refund ${id}`, ours: 'pending', theirs }];
};

async function refundStatus({ db }: Services, refundId: string): Promise<string> {
  const [row] = await db.sql<{ status: string }>('select status from refunds where id = $1', [refundId]);
  return row?.status.toLowerCase() ?? 'pending';
}

export const reconcilePaymentWithProvider: ReconcileWithProvider<PaymentAttempt> = async (
  services,
  attempt,
  dryRun,
) => {
  const { id, paymentId = '', refundedElsewhere } = attempt;
  const [ours = { succeeded: 0, pending: 0 }] = await services.db.sql<
    Record<'succeeded' | 'pending', number>
  >(
    `select coalesce(sum(amount) filter (where status = 'SUCCEEDED'), 0)::bigint as succeeded,
       coalesce(sum(amount) filter (where status = 'PENDING'), 0)::bigint as pending
     from refunds where attempt_id = $1 and payment_id = $2`,
    [id, paymentId],
  );
  const payment = await services.payments.findPayment(paymentId);
  if (!dryRun)
    await services.db.write('update payment_attempts set checked_at = $2 where id = $1', [id, now()]);
  if (!payment) return [];
  const settled = ours.succeeded + refundedElsewhere;
  if (payment.refunded < settled)
    return findFailedRefunds(services, attempt, { settled, refunded: payment.refunded }, dryRun);
  const expected = settled + ours.pending;
  if (payment.refunded <= expected) return [];
  if (!dryRun) await applyMissingEvent(services, attempt, { type: 'refunded', amount: payment.refunded });
  return [
    { about: `payment ${paymentId}`, ours: `${expected} refunded`, theirs: `${payment.refunded} refunded` },
  ];
};

/** The provider reports fewer refunds: some of our refunds failed after they had succeeded; the rest are external refunds that failed. */
async function findFailedRefunds(
  services: Services,
  attempt: PaymentAttempt,
  { settled, refunded }: { settled: number; refunded: number },
  dryRun: boolean,
): Promise<PaymentDifference[]> {
  const { id, paymentId, refundedElsewhere } = attempt;
  const failed = await findRefundsFailedAfterSuccess(services, id, dryRun);
  const differences = failed.map((refund) => ({
    about: `refund ${refund.id}`,
    ours: 'succeeded',
    theirs: 'failed',
  }));
  const unexplained = failed.reduce((remaining, refund) => remaining - refund.amount, settled - refunded);
  const amount = Math.min(unexplained, refundedElsewhere);
  if (amount <= 0) return differences;
  if (!dryRun)
    await applyMissingEvent(services, attempt, {
      type: 'refund',
      amount: refunded,
      refund: { id: '', status: 'failed' },
    });
  const theirs = `${refundedElsewhere - amount} refunded externally`;
  return [
    ...differences,
    { about: `payment ${paymentId}`, ours: `${refundedElsewhere} refunded externally`, theirs },
  ];
}

/** Applies the difference like the event that did not arrive. */
async function applyMissingEvent(
  services: Services,
  { id, reference, paymentId, currency }: PaymentAttempt,
  change: Pick<PaymentEvent, 'type' | 'amount' | 'refund'>,
): Promise<void> {
  const event: PaymentEvent = { id: `look-up:${id}`, reference, paymentId, currency, ...change };
  await services.db.transaction((tx) => applyPaymentEvent(services, tx, event));
}
