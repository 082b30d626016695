/** Access to a subscription: for holders of a mail token, for its subscriber, and for staff with ORDERS_WRITE. */
import type { Context } from '../../../context.ts';
import { notFoundError, unauthenticatedError } from '../../../errors.ts';
import { loadUserContactDetails } from '../../users/people/load-contact-details.ts';
import { readUnsubscribeToken } from '../mail/mail-tokens.ts';
import type { StoredNewsletterSubscription } from '../model.ts';
import { findSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { invalidMailTokenError } from './unsubscribe.ts';

export interface SubscriptionRef {
  businessId: string;
  id: string;
  /** Token from a mail; replaces signing in. */
  token?: string | undefined;
}

/** Throws NOT_FOUND for all other viewers, so that ids cannot be probed. */
export async function requireManageableSubscription(
  ctx: Context,
  { businessId, id, token }: SubscriptionRef,
): Promise<StoredNewsletterSubscription> {
  const tokenSubscriptionId =
    token === undefined ? undefined : readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (token !== undefined && tokenSubscriptionId !== id.toLowerCase()) throw invalidMailTokenError();
  if (token === undefined && !ctx.viewer.user) throw unauthenticatedError();
  const subscription = await findSubscription(ctx.db, id);
  if (subscription?.businessId !== businessId.toLowerCase()) throw notFoundError('Subscription');
  if (
    tokenSubscriptionId === undefined &&
    !(await ctx.viewer.hasPermission('ORDERS_WRITE', subscription.businessId)) &&
    !(await isEmailKeyOfViewer(ctx, subscription))
  )
    throw notFoundError('Subscription');
  return subscription;
}

/** True when `key` is the confirmed email address of the signed-in user. False for an API key with limited permissions: it does not act as the person. */
export async function isEmailKeyOfViewer(
  { db, viewer: { accountUser: person } }: Context,
  { key }: Pick<StoredNewsletterSubscription, 'key'>,
): Promise<boolean> {
  if (!person || person.isGuest) return false;
  const contact = (await loadUserContactDetails(db, [person.userId])).get(person.userId);
  return contact?.isConfirmed === true && contact.email?.toLowerCase() === key;
}
