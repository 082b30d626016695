/** Activates the plan that a payment page was opened for; a payment that fits no pending plan is refunded. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/index.ts';
import type { PaymentEvent } from '../../../ports/payments.ts';
import { type AppliedTransition, saveAttempt } from '../../payments/payment-attempts.ts';
import type { StoredSubscription } from '../model.ts';
import { saveSubscription } from '../subscribe/subscription-store.ts';
import { cancelAtProvider } from './provider-cancellations.ts';
import { refundUnmatchedPayment } from './refund-unmatched-payment.ts';
import { isRenewing, toRenewalFields } from './renewals.ts';

export async function activatePaidPlan(
  services: Services,
  tx: Queries,
  event: PaymentEvent,
  transition: AppliedTransition,
  subscription: StoredSubscription | undefined,
): Promise<string> {
  const { item, paymentId } = transition.attempt;
  if (subscription && isPlanPending(subscription, item)) {
    const { id: recurringId, bill } = event.recurring ?? {};
    // The new plan replaces a renewing one: the provider must stop billing the old plan.
    if (isRenewing(subscription) && subscription.recurringId !== undefined)
      await cancelAtProvider(services, tx, subscription.recurringId);
    await saveSubscription(services, tx, subscription, {
      ...subscription,
      status: 'ACTIVE',
      planId: item,
      nextPlanId: undefined,
      paymentId,
      recurringId,
      ...toRenewalFields(bill && { ...bill, state: 'ACTIVE', cancelAtPeriodEnd: false }),
    });
    return 'paid';
  }
  await saveAttempt(tx, { ...transition.attempt, state: 'RETURNED' });
  return refundUnmatchedPayment(
    services,
    tx,
    event,
    { ...transition, reason: refundReason(subscription, item) },
    subscription,
  );
}

const isPlanPending = (
  { status, planId, nextPlanId }: StoredSubscription,
  item: string | undefined,
): boolean => (item !== undefined && item === nextPlanId) || (status !== 'ACTIVE' && item === planId);

function refundReason(subscription: StoredSubscription | undefined, item: string | undefined): string {
  if (!subscription) return 'Subscription deleted';
  return subscription.planId === item ? 'Paid twice' : 'Plan changed before payment';
}
