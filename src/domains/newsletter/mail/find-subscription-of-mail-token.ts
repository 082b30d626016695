/** Data shown to the holder of a mail token: brand of the business, newsletter, email address and status of the subscription. */
import type { Services } from '../../../context.ts';
import { loadShopBrand } from '../../branding/find-and-update-branding.ts';
import type { ShopBrand } from '../../branding/model.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import type { SubscriptionStatus } from '../model.ts';
import { findSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { readSubscriptionConfirmToken, readUnsubscribeToken } from './mail-tokens.ts';

export interface MailTokenSubscription {
  brand: ShopBrand;
  /** Name of the newsletter. */
  newsletterName: string;
  email: string;
  status: SubscriptionStatus;
}

const readers = { unsubscribe: readUnsubscribeToken, confirm: readSubscriptionConfirmToken };

/** Undefined for an invalid token, a token for another purpose or business, or a deleted subscription. */
export async function findSubscriptionOfMailToken(
  { db, keys, config }: Pick<Services, 'db' | 'keys' | 'config'>,
  { purpose, businessId, token }: { purpose: keyof typeof readers; businessId: string; token: string },
): Promise<MailTokenSubscription | undefined> {
  const id = readers[purpose](keys.secret, businessId, token);
  const subscription = id === undefined ? undefined : await findSubscription(db, id);
  const collection =
    subscription &&
    (await findCollectionWithoutVisibilityCheck(db, subscription.businessId, subscription.collectionId));
  if (!collection) return undefined;
  return {
    brand: await loadShopBrand({ config }, db, subscription.businessId),
    newsletterName: collection.name,
    email: subscription.email,
    status: subscription.status,
  };
}
