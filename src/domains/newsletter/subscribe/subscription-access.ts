/** Who may look after a subscription: whoever holds a token of its mails, its subscriber, and staff who handle money. */
import type { Context } from '../../../context.ts';
import { notFoundError, unauthenticatedError } from '../../../errors.ts';
import { loadContactDetails } from '../../users/people/contact-details.ts';
import { readUnsubscribeToken } from '../mail/mail-tokens.ts';
import type { StoredSubscription } from '../model.ts';
import { findSubscription } from './subscription-store.ts';
import { invalidMailTokenError } from './unsubscribe.ts';

export interface SubscriptionAddress {
  businessId: string;
  id: string;
  /** From a mail; whoever has it needs no account. */
  token?: string | undefined;
}

/** Throws as if it did not exist for everybody else. */
export async function requireManageableSubscription(
  ctx: Context,
  { businessId, id, token }: SubscriptionAddress,
): Promise<StoredSubscription> {
  const named = token === undefined ? undefined : readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (token !== undefined && named !== id.toLowerCase()) throw invalidMailTokenError();
  if (token === undefined && !ctx.viewer.user) throw unauthenticatedError();
  const found = await findSubscription(ctx.db, id);
  if (found?.businessId !== businessId.toLowerCase()) throw notFoundError('Subscription');
  if (
    named === undefined &&
    !(await ctx.viewer.hasPermission('ORDERS_WRITE', found.businessId)) &&
    !(await viewerOwnsEmail(ctx, found))
  )
    throw notFoundError('Subscription');
  return found;
}

/** Who made an API key that is limited to some permissions is not there in person. */
export async function viewerOwnsEmail(
  { db, viewer: { accountUser: person } }: Context,
  { key }: Pick<StoredSubscription, 'key'>,
): Promise<boolean> {
  if (!person || person.isGuest) return false;
  const contact = (await loadContactDetails(db, [person.userId])).get(person.userId);
  return contact?.isConfirmed === true && contact.email?.toLowerCase() === key;
}
