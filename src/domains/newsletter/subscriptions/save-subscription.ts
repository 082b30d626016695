/** Saves a subscription, emits its webhook events, and closes the payment page of an ended one. */
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { closeOpenPaymentAttempts } from '../../payments/close-payment-attempts.ts';
import { emitWebhookEvents, type WebhookEmitServices } from '../../webhooks/emit-events.ts';
import type { WebhookEvent } from '../../webhooks/webhook-event-types.ts';
import { buildSubscriptionEvents } from '../build-events.ts';
import { hasSubscriptionEnded, type StoredNewsletterSubscription, subscriptionTable } from '../model.ts';

/**
 * Saves a locked subscription and emits the events of its status change, plus those of `moreEvents`. An ended subscription has no open
 * payment page and no next plan; a payment that still arrives is refunded.
 */
export async function saveSubscription(
  services: WebhookEmitServices,
  tx: QueryHandle,
  before: StoredNewsletterSubscription,
  after: StoredNewsletterSubscription,
  moreEvents: (after: StoredNewsletterSubscription) => readonly WebhookEvent[] = () => [],
): Promise<StoredNewsletterSubscription> {
  // A plan that was requested after the end waits for its payment.
  const isRequested =
    hasSubscriptionEnded(before) && after.nextPlanId !== undefined && before.nextPlanId !== after.nextPlanId;
  const isEnded = hasSubscriptionEnded(after) && !isRequested;
  const saved = { ...after, ...(isEnded ? { nextPlanId: undefined } : {}), updatedAt: now() };
  const events = [...buildSubscriptionEvents(before.status, saved), ...moreEvents(saved)];
  await tx.write(subscriptionTable.update, subscriptionTable.updateParams(saved));
  await emitWebhookEvents(services, tx, saved.businessId, events);
  if (isEnded) await closeOpenPaymentAttempts(services, tx, 'subscription', saved.id);
  return saved;
}
