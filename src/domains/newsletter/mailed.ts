/** What whoever holds a token of a mail may know: which newsletter it is about, and which address. */
import type { Services } from '../../context.ts';
import { businessName } from '../businesses/businesses.ts';
import { anyCollection } from '../collections/find-collection.ts';
import type { SubscriptionStatus } from './model.ts';
import { findSubscription } from './store.ts';
import { readConfirmToken, readUnsubscribeToken } from './tokens.ts';

export interface Mailed {
  /** Name of the business. */
  business: string;
  /** Name of the newsletter. */
  letter: string;
  email: string;
  status: SubscriptionStatus;
}

const readers = { unsubscribe: readUnsubscribeToken, confirm: readConfirmToken };

/** Undefined for a token that is not genuine, for another purpose or business, or whose subscription is gone. */
export async function mailedSubscription(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  { purpose, businessId, token }: { purpose: keyof typeof readers; businessId: string; token: string },
): Promise<Mailed | undefined> {
  const id = readers[purpose](keys.secret, businessId, token);
  const found = id === undefined ? undefined : await findSubscription(db, id);
  const collection = found && (await anyCollection(db, found.businessId, found.collectionId));
  if (!collection) return undefined;
  const business = await businessName(db, found.businessId);
  return { business, letter: collection.name, email: found.email, status: found.status };
}
