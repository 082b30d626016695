/** What whoever holds a token of a mail may know: which newsletter it is about, and which address. */
import type { Services } from '../../../context.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import { findCollectionUnrestricted } from '../../collections/read/find-collection.ts';
import type { SubscriptionStatus } from '../model.ts';
import { findSubscription } from '../subscribe/subscription-store.ts';
import { readConfirmToken, readUnsubscribeToken } from './mail-tokens.ts';

export interface MailTokenSubject {
  /** Name of the business. */
  businessName: string;
  /** Name of the newsletter. */
  newsletterName: string;
  email: string;
  status: SubscriptionStatus;
}

const readers = { unsubscribe: readUnsubscribeToken, confirm: readConfirmToken };

/** Undefined for a token that is not genuine, for another purpose or business, or whose subscription is gone. */
export async function findMailTokenSubject(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  { purpose, businessId, token }: { purpose: keyof typeof readers; businessId: string; token: string },
): Promise<MailTokenSubject | undefined> {
  const id = readers[purpose](keys.secret, businessId, token);
  const found = id === undefined ? undefined : await findSubscription(db, id);
  const collection = found && (await findCollectionUnrestricted(db, found.businessId, found.collectionId));
  if (!collection) return undefined;
  const business = await loadBusinessName(db, found.businessId);
  return {
    businessName: business,
    newsletterName: collection.name,
    email: found.email,
    status: found.status,
  };
}
