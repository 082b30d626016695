/** Status of a subscription for the page shown after payment. The request carries only the id, so no personal data is returned. */
import type { Db } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-collection.ts';
import type { SubscriptionStatus } from '../model.ts';
import { findSubscription } from '../subscribe/subscription-store.ts';

export interface SubscriptionStatusView {
  businessId: string;
  /** Name of the newsletter. */
  newsletterName: string;
  status: SubscriptionStatus;
  /** True while a plan change waits for its payment. */
  isPlanChangePending: boolean;
}

export async function findSubscriptionStatus(
  db: Db,
  id: string,
): Promise<SubscriptionStatusView | undefined> {
  const subscription = isId(id) ? await findSubscription(db, id) : undefined;
  const collection =
    subscription &&
    (await findCollectionWithoutVisibilityCheck(db, subscription.businessId, subscription.collectionId));
  if (!collection) return undefined;
  const { businessId, status, nextPlanId } = subscription;
  return {
    businessId,
    newsletterName: collection.name,
    status,
    isPlanChangePending: nextPlanId !== undefined,
  };
}
