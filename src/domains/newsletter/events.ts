/** What businesses are told about their newsletters. Pure. */
import type { WebhookEvent } from '../webhooks/events.ts';
import type { StoredSubscription, SubscriptionStatus } from './model.ts';

/** `previous` is absent for a new subscription. Waiting for a payment or a confirmation is no news. */
export function buildSubscriptionEvents(
  previous: SubscriptionStatus | undefined,
  subscription: StoredSubscription,
): WebhookEvent[] {
  const type = previous === undefined ? 'subscription.created' : typeAfter(previous, subscription.status);
  return type ? [{ type, data: factsOf(subscription) }] : [];
}

/** What becomes of the renewals of a subscription. */
export const buildRenewalEvent = (
  type: 'subscription.renewed' | 'subscription.past_due' | 'subscription.ended',
  subscription: StoredSubscription,
): WebhookEvent => {
  const { currentPeriodStart, currentPeriodEnd, graceUntil } = subscription;
  return { type, data: { ...factsOf(subscription), currentPeriodStart, currentPeriodEnd, graceUntil } };
};

const factsOf = ({ id, businessId, collectionId, planId, status }: StoredSubscription) => ({
  id,
  businessId,
  collectionId,
  planId,
  status,
});

function typeAfter(previous: SubscriptionStatus, status: SubscriptionStatus) {
  if (previous === status) return undefined;
  if (status === 'ACTIVE') return 'subscription.activated';
  return isWaiting(status) ? undefined : 'subscription.cancelled';
}

const isWaiting = (status: SubscriptionStatus) => status === 'PENDING' || status === 'PENDING_CONFIRMATION';
