/** Status of a subscription for the page shown after payment. The request carries only the id, so no personal data is returned. */
import type { Db } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { findOpenPaymentAttempt } from '../../payments/stored-payment-attempts.ts';
import type { SubscriptionStatus } from '../model.ts';
import { findSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';

export interface CheckoutResultSubscriptionStatus {
  businessId: string;
  /** Name of the newsletter. */
  newsletterName: string;
  /** PENDING while a payment page is open: a caller who opened one must not learn whether the address has a subscription. */
  status: SubscriptionStatus;
}

export async function findCheckoutResultSubscriptionStatus(
  db: Db,
  id: string,
): Promise<CheckoutResultSubscriptionStatus | undefined> {
  const subscription = isId(id) ? await findSubscription(db, id) : undefined;
  const collection =
    subscription &&
    (await findCollectionWithoutVisibilityCheck(db, subscription.businessId, subscription.collectionId));
  if (!collection) return undefined;
  const { businessId, status } = subscription;
  const open = await findOpenPaymentAttempt(db, 'subscription', subscription.id);
  return { businessId, newsletterName: collection.name, status: open ? 'PENDING' : status };
}
