/** The money for a page has come: it gives exactly the plan it was made for, and only once. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
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
  moved: AppliedTransition,
  subscription: StoredSubscription | undefined,
): Promise<string> {
  const { item, paymentId } = moved.attempt;
  if (subscription && isWanted(subscription, item)) {
    const { id: recurringId, bill } = event.recurring ?? {};
    // A plan that takes the place of another one ends it with the provider.
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
  await saveAttempt(tx, { ...moved.attempt, state: 'RETURNED' });
  return refundUnmatchedPayment(
    services,
    tx,
    event,
    { ...moved, reason: whyNot(subscription, item) },
    subscription,
  );
}

const isWanted = ({ status, planId, nextPlanId }: StoredSubscription, item: string | undefined): boolean =>
  (item !== undefined && item === nextPlanId) || (status !== 'ACTIVE' && item === planId);

function whyNot(subscription: StoredSubscription | undefined, item: string | undefined): string {
  if (!subscription) return 'Paid for what is gone';
  return subscription.planId === item ? 'Paid twice' : 'Paid for a plan that was exchanged';
}
