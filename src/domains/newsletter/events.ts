/** What businesses are told about their newsletters. Pure. */
import type { WebhookEvent } from '../webhooks/events.ts';
import type { SubscriptionStatus } from './model.ts';

export interface SubscriptionFacts {
  id: string;
  business_id: string;
  collection_id: string;
  plan_id: string | null;
  status: SubscriptionStatus;
}

/** SQL: the columns of SubscriptionFacts. */
export const factColumns = 's.id, s.business_id, s.collection_id, s.plan_id, s.status';

/** `previous` is absent for a new subscription. A page that is waiting for its payment is no news. */
export function subscriptionEvents(
  previous: SubscriptionStatus | undefined,
  { id, business_id, collection_id, plan_id, status }: SubscriptionFacts,
): WebhookEvent[] {
  const type = previous === undefined ? 'subscription.created' : typeAfter(previous, status);
  if (!type) return [];
  const data = {
    id,
    businessId: business_id,
    collectionId: collection_id,
    planId: plan_id ?? undefined,
    status,
  };
  return [{ type, data }];
}

function typeAfter(previous: SubscriptionStatus, status: SubscriptionStatus) {
  if (previous === status) return undefined;
  if (status === 'ACTIVE') return 'subscription.activated';
  return status === 'PENDING' ? undefined : 'subscription.cancelled';
}
