/** What the provider sees otherwise than we do: a page, a refund on its way, refunds made elsewhere. Without `dryRun` it is repaired. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent } from '../../../ports/payments.ts';
import type { PaymentAttempt, Refund } from '../model.ts';
import { applyPaymentEvent } from '../receive-event.ts';
import { findRefundsFailedAfterSuccess, settleRefund } from '../refunds.ts';
import { syncPaymentSession } from './sync-session.ts';

export interface PaymentDifference {
  /** What it is about: the reference of a page, a payment, a refund. */
  about: string;
  ours: string;
  theirs: string;
}

/** Throws when the provider does not answer. */
export type CompareWithProvider<Item> = (
  services: Services,
  item: Item,
  dryRun: boolean,
) => Promise<PaymentDifference[]>;

const ourWords = { OPEN: 'open', PROCESSING: 'processing' } as const;

export const compareSession: CompareWithProvider<PaymentAttempt> = async (services, attempt, dryRun) => {
  const { reference, sessionId: id = '', state } = attempt;
  const isClosed = state !== 'OPEN' && state !== 'PROCESSING';
  // Closed first and asked then: nobody can pay in between.
  if (isClosed && !dryRun) await services.payments.expireSession({ reference, id });
  const theirs = dryRun
    ? ((await services.payments.findSession(id))?.state ?? 'expired')
    : await syncPaymentSession(services, attempt);
  // One that was closed while a transfer is on its way is asked about until that is settled.
  const differs = isClosed ? theirs === 'paid' : theirs !== ourWords[state];
  return differs ? [{ about: `page ${reference}`, ours: isClosed ? 'closed' : ourWords[state], theirs }] : [];
};

/** One that was never asked for is asked for. */
export const compareRefund: CompareWithProvider<Refund> = async (
  services,
  { id, providerRefundId },
  dryRun,
) => {
  if (!dryRun) await settleRefund(services, id);
  const theirs =
    dryRun && providerRefundId !== undefined
      ? (await services.payments.findRefund(providerRefundId)).status
      : await statusOf(services, id);
  return theirs === 'pending' ? [] : [{ about: `refund ${id}`, ours: 'pending', theirs }];
};

async function statusOf({ db }: Services, refundId: string): Promise<string> {
  const [row] = await db.sql<{ status: string }>('select status from refunds where id = $1', [refundId]);
  return row?.status.toLowerCase() ?? 'pending';
}

export const comparePayment: CompareWithProvider<PaymentAttempt> = async (services, attempt, dryRun) => {
  const { id, paymentId = '', refundedElsewhere } = attempt;
  const [ours = { succeeded: 0, pending: 0 }] = await services.db.sql<
    Record<'succeeded' | 'pending', number>
  >(
    `select coalesce(sum(amount) filter (where status = 'SUCCEEDED'), 0)::bigint as succeeded,
       coalesce(sum(amount) filter (where status = 'PENDING'), 0)::bigint as pending
     from refunds where attempt_id = $1 and payment_id = $2`,
    [id, paymentId],
  );
  const found = await services.payments.findPayment(paymentId);
  if (!dryRun)
    await services.db.sql('update payment_attempts set checked_at = $2 where id = $1', [id, now()]);
  if (!found) return [];
  const settled = ours.succeeded + refundedElsewhere;
  if (found.refunded < settled) return lessWentBack(services, attempt, settled - found.refunded, dryRun);
  const known = settled + ours.pending;
  if (found.refunded <= known) return [];
  if (!dryRun) await tell(services, attempt, { type: 'refunded', amount: found.refunded });
  return [{ about: `payment ${paymentId}`, ours: `${known} back`, theirs: `${found.refunded} back` }];
};

/** Some of ours failed after they had succeeded; what they do not explain are refunds made elsewhere that failed. */
async function lessWentBack(
  services: Services,
  attempt: PaymentAttempt,
  missing: number,
  dryRun: boolean,
): Promise<PaymentDifference[]> {
  const { id, paymentId, refundedElsewhere } = attempt;
  const failed = await findRefundsFailedAfterSuccess(services, id, dryRun);
  const differences = failed.map((refund) => ({
    about: `refund ${refund.id}`,
    ours: 'succeeded',
    theirs: 'failed',
  }));
  const rest = failed.reduce((left, refund) => left - refund.amount, missing);
  const amount = Math.min(rest, refundedElsewhere);
  if (amount <= 0) return differences;
  if (!dryRun)
    await tell(services, attempt, { type: 'refund', amount, refund: { id: '', status: 'failed' } });
  const theirs = `${refundedElsewhere - amount} back elsewhere`;
  return [
    ...differences,
    { about: `payment ${paymentId}`, ours: `${refundedElsewhere} back elsewhere`, theirs },
  ];
}

/** What was found is applied like the event that did not come. */
async function tell(
  services: Services,
  { id, reference, paymentId, currency }: PaymentAttempt,
  what: Pick<PaymentEvent, 'type' | 'amount' | 'refund'>,
): Promise<void> {
  const event: PaymentEvent = { id: `look-up:${id}`, reference, paymentId, currency, ...what };
  await services.db.transaction((tx) => applyPaymentEvent(services, tx, event));
}
