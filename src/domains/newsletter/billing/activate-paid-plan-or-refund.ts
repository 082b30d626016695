/** Activates the plan that a payment page was opened for; a payment that fits no pending plan is refunded. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { PaymentEvent } from '../../../ports/payments.ts';
import {
  type AppliedAttemptTransition,
  updatePaymentAttempt,
} from '../../payments/stored-payment-attempts.ts';
import { hasSubscriptionEnded, isPlanPending, type StoredNewsletterSubscription } from '../model.ts';
import { saveSubscription } from '../subscriptions/save-subscription.ts';
import { queueProviderCancellation } from './queue-and-run-provider-cancellations.ts';
import { refundUnmatchedPlanPayment } from './refund-unmatched-payment.ts';
import { isSubscriptionRenewing, toStoredRenewalFields } from './renewal-of-stored-subscription.ts';

export async function activatePaidPlanOrRefund(
  services: Services,
  tx: QueryHandle,
  event: PaymentEvent,
  transition: AppliedAttemptTransition,
  subscription: StoredNewsletterSubscription | undefined,
): Promise<string> {
  const { item, paymentId } = transition.attempt;
  if (subscription && isPlanPending(subscription, item)) {
    const { id: recurringId, bill } = event.recurring ?? {};
    // The new plan replaces a renewing one: the provider must stop billing the old plan.
    if (isSubscriptionRenewing(subscription) && subscription.recurringId !== undefined)
      await queueProviderCancellation(services, tx, subscription.recurringId);
    await saveSubscription(services, tx, subscription, {
      ...subscription,
      status: 'ACTIVE',
      planId: item,
      nextPlanId: undefined,
      paymentId,
      recurringId,
      ...toStoredRenewalFields(bill && { ...bill, state: 'ACTIVE', cancelAtPeriodEnd: false }),
    });
    return 'paid';
  }
  await updatePaymentAttempt(tx, { ...transition.attempt, state: 'RETURNED' });
  return refundUnmatchedPlanPayment(
    services,
    tx,
    event,
    { ...transition, reason: refundReason(subscription, item) },
    subscription,
  );
}

function refundReason(
  subscription: StoredNewsletterSubscription | undefined,
  item: string | undefined,
): string {
  if (!subscription) return 'Subscription deleted';
  if (hasSubscriptionEnded(subscription)) return 'Paid after the subscription ended';
  return subscription.planId === item ? 'Paid twice' : 'Plan changed before payment';
}
