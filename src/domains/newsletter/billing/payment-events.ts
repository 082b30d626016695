/** What payments do to subscriptions. Their events may come twice, late, and in any order; the outcome is the same. */

import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { PaymentEvent, ProviderRefund } from '../../../ports/payments.ts';
import { recordExternalRefund, recordFailedExternalRefund } from '../../payments/external-refunds.ts';
import type { Refund } from '../../payments/model.ts';
import { applyEventToAttempt } from '../../payments/payment-attempts.ts';
import { registerPaymentSubject } from '../../payments/payment-subjects.ts';
import { loadPaymentTotals } from '../../payments/payment-totals.ts';
import { recordRefundAnswer } from '../../payments/refunds.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import type { StoredSubscription } from '../model.ts';
import { lockSubscription } from '../subscribe/subscription-store.ts';
import { activatePaidPlan } from './activate-paid-plan.ts';
import { applyRecurringEvent } from './invoices.ts';
import { refundUnmatchedPayment } from './refund-unmatched-payment.ts';
import { applyRenewalEvent } from './renewals.ts';

registerPaymentSubject('subscription', { applyEvent: apply, applyRefundAnswer: refundAnswered });

async function apply(services: Services, tx: Queries, event: PaymentEvent, id: string): Promise<string> {
  const subscription = await lockSubscription(tx, id);
  const outcome = await applyRecurringEvent(services, tx, event, subscription);
  if (outcome !== undefined) return outcome;
  if (event.type === 'cancelled') return cancelled(services, tx, event, subscription);
  if (event.type === 'refunded')
    return refunded(services, tx, subscription, await recordExternalRefund(tx, event));
  if (event.type === 'refund')
    return event.refund?.status === 'failed' && (await recordFailedExternalRefund(tx, event))
      ? 'refund failed'
      : 'ignored';
  if (event.type === 'disputed') return disputed(services, tx, event, subscription);
  return applyToPage(services, tx, event, subscription);
}

async function applyToPage(
  services: Services,
  tx: Queries,
  event: PaymentEvent,
  subscription: StoredSubscription | undefined,
): Promise<string> {
  const moved = await applyEventToAttempt(tx, event);
  if (!moved) {
    // The provider's account may serve other systems, whose payments are none of ours.
    if (event.type === 'paid')
      services.log.error({ event }, 'a payment event names a page that was never opened');
    return 'unknown attempt';
  }
  if (moved.effect === 'accept') return activatePaidPlan(services, tx, event, moved, subscription);
  if (moved.effect === 'late' || moved.effect === 'return')
    return refundUnmatchedPayment(services, tx, event, moved, subscription);
  if (moved.effect === 'none') return event.type === 'paid' ? 'repeated' : 'ignored';
  return moved.effect;
}

/** A refund in part ends nothing; one of the whole payment does, and what was unsubscribed cannot come back by it. */
async function refunded(
  services: Services,
  tx: Queries,
  subscription: StoredSubscription | undefined,
  changed: object | undefined,
): Promise<string> {
  if (!subscription || !changed) return 'ignored';
  const { payments } = await loadPaymentTotals(tx, 'subscription', subscription.id);
  const payment = payments.find(({ paymentId }) => paymentId === subscription.paymentId);
  if (!payment || payment.refunded < payment.captured) return 'refunded in part';
  await cancel(services, tx, subscription);
  return 'refunded';
}

const cancel = (services: Services, tx: Queries, subscription: StoredSubscription) =>
  applyRenewalEvent(services, tx, subscription, { type: 'closed' }, () => ({
    paymentId: undefined,
    ...(isLive(subscription) ? { status: 'CANCELLED' } : {}),
  }));

async function refundAnswered(
  services: Services,
  tx: Queries,
  { id: refundId }: Refund,
  answer: ProviderRefund,
  id: string,
): Promise<void> {
  const subscription = await lockSubscription(tx, id);
  const moved = await recordRefundAnswer(tx, refundId, answer);
  if (!moved || !subscription) return;
  const { id: subscriptionId, businessId } = subscription;
  const { amount, currency, failure: reason, status, counts } = moved.refund;
  if (status === 'FAILED')
    await emitWebhookEvents(services, tx, businessId, [
      { type: 'refund.failed', data: { id: refundId, subscriptionId, businessId, amount, currency, reason } },
    ]);
  if (counts) await refunded(services, tx, subscription, moved);
}

async function cancelled(
  services: Services,
  tx: Queries,
  { paymentId }: PaymentEvent,
  subscription: StoredSubscription | undefined,
): Promise<string> {
  if (!subscription || !isLive(subscription) || subscription.paymentId !== paymentId) return 'ignored';
  await cancel(services, tx, subscription);
  return 'cancelled';
}

async function disputed(
  services: Services,
  tx: Queries,
  { amount, currency }: PaymentEvent,
  subscription: StoredSubscription | undefined,
): Promise<string> {
  if (!subscription) return 'ignored';
  const { id: subscriptionId, businessId } = subscription;
  await emitWebhookEvents(services, tx, businessId, [
    { type: 'payment.disputed', data: { subscriptionId, businessId, amount, currency } },
  ]);
  return 'disputed';
}

const isLive = ({ status }: StoredSubscription) => status !== 'CANCELLED' && status !== 'UNSUBSCRIBED';
