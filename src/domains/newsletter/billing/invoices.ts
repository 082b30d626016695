/** What renews is billed every period: each bill that was paid is an attempt of its own, for what the first one was for. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { AppError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent, ProviderRecurring } from '../../../ports/payments.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import {
  applyEventToAttempt,
  createNextAttempt,
  findAttemptByReference,
  lockAttemptByInvoice,
  saveAttempt,
} from '../../payments/payment-attempts.ts';
import type { StoredSubscription } from '../model.ts';
import { refundUnmatchedPayment } from './refund-unmatched-payment.ts';
import { applyRenewalEvent } from './renewals.ts';

type Bill = NonNullable<ProviderRecurring['bill']>;

/** Undefined for events about something else; the first bill is the business of its page. */
export async function applyRecurringEvent(
  services: Services,
  tx: Queries,
  event: PaymentEvent,
  subscription: StoredSubscription | undefined,
): Promise<string | undefined> {
  const { recurring, type } = event;
  const { bill, status, cancelAtPeriodEnd } = recurring ?? {};
  if (!recurring || bill?.isFirst) return undefined;
  if (type === 'paid' && bill) return billPaid(services, tx, event, bill, subscription);
  if (subscription?.recurringId !== recurring.id) return 'ignored';
  if (type === 'failed' && bill) {
    const { effects } = await applyRenewalEvent(services, tx, subscription, { ...bill, type });
    return effects.length > 0 ? 'past due' : 'ignored';
  }
  await applyRenewalEvent(services, tx, subscription, { type: 'told', status, cancelAtPeriodEnd });
  return status ?? 'told';
}

async function billPaid(
  services: Services,
  tx: Queries,
  event: PaymentEvent,
  bill: Bill,
  subscription: StoredSubscription | undefined,
): Promise<string> {
  const first = event.reference === undefined ? undefined : await findAttemptByReference(tx, event.reference);
  if (!first) {
    services.log.error({ event }, 'a bill names a page that was never opened');
    return 'unknown attempt';
  }
  // The page was paid before its second bill: once that is known, this event counts. The provider comes back with it.
  if (first.state === 'NEW' || first.state === 'OPEN' || first.state === 'PROCESSING')
    throw new AppError('UNAVAILABLE', 'The first payment is not known yet, try again.');
  const attempt = (await lockAttemptByInvoice(tx, first, bill.id)) ?? (await newAttempt(tx, first, bill.id));
  const moved = await applyEventToAttempt(tx, { ...event, reference: attempt.reference });
  if (!moved || moved.effect === 'none') return 'repeated';
  if (moved.effect !== 'accept') return refundUnmatchedPayment(services, tx, event, moved, subscription);
  const reason = await renew(services, tx, event, bill, subscription);
  if (reason === undefined) return 'renewed';
  await saveAttempt(tx, { ...moved.attempt, state: 'RETURNED' });
  return refundUnmatchedPayment(services, tx, event, { ...moved, reason }, subscription);
}

const newAttempt = (tx: Queries, { subjectId, item, amount, currency }: PaymentAttempt, billId: string) =>
  createNextAttempt(tx, {
    kind: 'subscription',
    subjectId,
    item,
    amount,
    currency,
    expiresAt: now(),
    sessionId: billId,
  });

/** Returns why the money goes back, if it does. */
async function renew(
  services: Services,
  tx: Queries,
  { recurring, paymentId }: PaymentEvent,
  bill: Bill,
  subscription: StoredSubscription | undefined,
): Promise<string | undefined> {
  if (!subscription) return 'Paid for what is gone';
  if (subscription.recurringId !== recurring?.id) return 'Paid for a plan that was exchanged';
  const { effects } = await applyRenewalEvent(
    services,
    tx,
    subscription,
    { ...bill, type: 'paid' },
    (asked) => (asked.includes('announceRenewed') ? { paymentId } : {}),
  );
  return effects.includes('returnMoney') ? 'Paid after it had ended' : undefined;
}
