/** Builds the webhook events of subscriptions and renewals. Pure. */
import type { WebhookEvent } from '../webhooks/webhook-event-types.ts';
import type { StoredNewsletterSubscription, SubscriptionStatus } from './model.ts';

/** `previous` is undefined for a new subscription. A change to PENDING or PENDING_CONFIRMATION emits no event. */
export function buildSubscriptionEvents(
  previous: SubscriptionStatus | undefined,
  subscription: StoredNewsletterSubscription,
): WebhookEvent[] {
  const type = previous === undefined ? 'subscription.created' : typeAfter(previous, subscription.status);
  return type ? [{ type, data: toEventData(subscription) }] : [];
}

export const buildRenewalEvent = (
  type: 'subscription.renewed' | 'subscription.past_due' | 'subscription.ended',
  subscription: StoredNewsletterSubscription,
): WebhookEvent => {
  const { currentPeriodStart, currentPeriodEnd, graceUntil } = subscription;
  return { type, data: { ...toEventData(subscription), currentPeriodStart, currentPeriodEnd, graceUntil } };
};

const toEventData = ({ id, businessId, collectionId, planId, status }: StoredNewsletterSubscription) => ({
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
