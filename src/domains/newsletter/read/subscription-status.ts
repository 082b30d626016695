/** How a subscription stands, for whoever comes back from paying and knows nothing but its id: no more than that is told. */
import type { Db } from '../../../db/handles.ts';
import { isId } from '../../../lib/ids.ts';
import { findCollectionUnrestricted } from '../../collections/read/find-collection.ts';
import type { SubscriptionStatus } from '../model.ts';
import { findSubscription } from '../subscribe/subscription-store.ts';

export interface SubscriptionStatusView {
  businessId: string;
  /** Name of the newsletter. */
  newsletterName: string;
  status: SubscriptionStatus;
  /** It is to have another plan, which is not paid yet. */
  isPlanChangePending: boolean;
}

export async function findSubscriptionStatus(
  db: Db,
  id: string,
): Promise<SubscriptionStatusView | undefined> {
  const found = isId(id) ? await findSubscription(db, id) : undefined;
  const collection = found && (await findCollectionUnrestricted(db, found.businessId, found.collectionId));
  if (!collection) return undefined;
  const { businessId, status, nextPlanId } = found;
  return {
    businessId,
    newsletterName: collection.name,
    status,
    isPlanChangePending: nextPlanId !== undefined,
  };
}
