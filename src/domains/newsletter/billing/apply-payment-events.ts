/** Applies payment events to subscriptions. Duplicate, late and reordered events lead to the same result. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { PaymentEvent, ProviderRefund } from '../../../ports/payments.ts';
import { registerClosingOfPaymentAttemptsWithBusiness } from '../../payments/close-attempts-of-deleted-subjects.ts';
import { loadSubjectPaymentTotals } from '../../payments/load-and-split-payment-totals.ts';
import type { Refund } from '../../payments/model.ts';
import { registerPaymentSubjectHandler } from '../../payments/payment-subject-registry.ts';
import { recordExternalRefund, recordFailedExternalRefund } from '../../payments/record-external-refunds.ts';
import { findRefundRetryError } from '../../payments/retry-refund.ts';
import { loadSubjectRefunds, recordProviderRefund } from '../../payments/schedule-submit-and-load-refunds.ts';
import { applyEventToPaymentAttempt } from '../../payments/stored-payment-attempts.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import { hasSubscriptionEnded, type StoredNewsletterSubscription } from '../model.ts';
import { lockSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { activatePaidPlanOrRefund } from './activate-paid-plan-or-refund.ts';
import { applyRenewalEvent } from './apply-renewal-event.ts';
import { applyRecurringPaymentEvent } from './record-paid-invoices.ts';
import { refundUnmatchedPlanPayment } from './refund-unmatched-payment.ts';

registerPaymentSubjectHandler('subscription', { applyEvent, applyProviderRefund, findRetryError });
registerClosingOfPaymentAttemptsWithBusiness('subscription', 'subscriptions');

async function findRetryError(tx: QueryHandle, refundId: string, id: string) {
  await lockSubscription(tx, id);
  const refund = (await loadSubjectRefunds(tx, 'subscription', id)).find((other) => other.id === refundId);
  return refund && findRefundRetryError(tx, 'subscription', id, refund);
}

async function applyEvent(
  services: Services,
  tx: QueryHandle,
  event: PaymentEvent,
  id: string,
): Promise<string> {
  const subscription = await lockSubscription(tx, id);
  const outcome = await applyRecurringPaymentEvent(services, tx, event, subscription);
  if (outcome !== undefined) return outcome;
  if (event.type === 'cancelled') return applyCancellation(services, tx, event, subscription);
  if (event.type === 'refunded')
    return applyRefund(services, tx, subscription, await recordExternalRefund(tx, event));
  if (event.type === 'refund')
    return event.refund?.status === 'failed' && (await recordFailedExternalRefund(tx, event))
      ? 'refund failed'
      : 'ignored';
  if (event.type === 'disputed') return applyDispute(services, tx, event, subscription);
  return applyToAttempt(services, tx, event, subscription);
}

async function applyToAttempt(
  services: Services,
  tx: QueryHandle,
  event: PaymentEvent,
  subscription: StoredNewsletterSubscription | undefined,
): Promise<string> {
  const transition = await applyEventToPaymentAttempt(tx, event);
  if (!transition) {
    // Only a payment is an error: the provider account may also serve other systems.
    if (event.type === 'paid')
      services.log.error({ event }, 'payment event references an unknown payment attempt');
    return 'unknown attempt';
  }
  if (transition.effect === 'accept')
    return activatePaidPlanOrRefund(services, tx, event, transition, subscription);
  if (transition.effect === 'late' || transition.effect === 'return')
    return refundUnmatchedPlanPayment(services, tx, event, transition, subscription);
  if (transition.effect === 'none') return event.type === 'paid' ? 'repeated' : 'ignored';
  return transition.effect;
}

/** Ends the subscription when its current payment is fully refunded; a partial refund changes nothing. After that the payment no longer allows a resubscribe. */
async function applyRefund(
  services: Services,
  tx: QueryHandle,
  subscription: StoredNewsletterSubscription | undefined,
  changed: object | undefined,
): Promise<string> {
  if (!subscription || !changed) return 'ignored';
  const { payments } = await loadSubjectPaymentTotals(tx, 'subscription', subscription.id);
  const payment = payments.find(({ paymentId }) => paymentId === subscription.paymentId);
  if (!payment || payment.refunded < payment.captured) return 'refunded in part';
  await cancel(services, tx, subscription);
  return 'refunded';
}

/** A PENDING subscription waits for another payment, and stays PENDING. */
const cancel = (services: Services, tx: QueryHandle, subscription: StoredNewsletterSubscription) =>
  applyRenewalEvent(services, tx, subscription, { type: 'cancelled' }, () => ({
    paymentId: undefined,
    ...(subscription.status === 'PENDING' || hasSubscriptionEnded(subscription)
      ? {}
      : { status: 'CANCELLED' }),
  }));

async function applyProviderRefund(
  services: Services,
  tx: QueryHandle,
  { id: refundId }: Refund,
  providerRefund: ProviderRefund,
  id: string,
): Promise<void> {
  const subscription = await lockSubscription(tx, id);
  const recorded = await recordProviderRefund(tx, refundId, providerRefund);
  if (!recorded || !subscription) return;
  const { id: subscriptionId, businessId } = subscription;
  const { amount, currency, failure: reason, status, counts } = recorded.refund;
  if (status === 'FAILED')
    await emitWebhookEvents(services, tx, businessId, [
      { type: 'refund.failed', data: { id: refundId, subscriptionId, businessId, amount, currency, reason } },
    ]);
  if (counts) await applyRefund(services, tx, subscription, recorded);
}

async function applyCancellation(
  services: Services,
  tx: QueryHandle,
  { paymentId }: PaymentEvent,
  subscription: StoredNewsletterSubscription | undefined,
): Promise<string> {
  if (!subscription || hasSubscriptionEnded(subscription) || subscription.paymentId !== paymentId)
    return 'ignored';
  await cancel(services, tx, subscription);
  return 'cancelled';
}

async function applyDispute(
  services: Services,
  tx: QueryHandle,
  { amount, currency }: PaymentEvent,
  subscription: StoredNewsletterSubscription | undefined,
): Promise<string> {
  if (!subscription) return 'ignored';
  const { id: subscriptionId, businessId } = subscription;
  await emitWebhookEvents(services, tx, businessId, [
    { type: 'payment.disputed', data: { subscriptionId, businessId, amount, currency } },
  ]);
  return 'disputed';
}
