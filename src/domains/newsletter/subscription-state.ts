/** How a subscription stands, for whoever comes back from paying and knows nothing but its id: no more than that is told. */
import type { Db } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';
import { anyCollection } from '../collections/find-collection.ts';
import type { SubscriptionStatus } from './model.ts';
import { findSubscription } from './store.ts';

export interface SubscriptionState {
  businessId: string;
  /** Name of the newsletter. */
  letter: string;
  status: SubscriptionStatus;
  /** It is to have another plan, which is not paid yet. */
  isChanging: boolean;
}

export async function subscriptionState(db: Db, id: string): Promise<SubscriptionState | undefined> {
  const found = isId(id) ? await findSubscription(db, id) : undefined;
  const collection = found && (await anyCollection(db, found.businessId, found.collectionId));
  if (!collection) return undefined;
  const { businessId, status, nextPlanId } = found;
  return { businessId, letter: collection.name, status, isChanging: nextPlanId !== undefined };
}
