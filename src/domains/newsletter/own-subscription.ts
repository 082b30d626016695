/** Who may look after a subscription: whoever holds a token of its mails, its subscriber, and staff who handle money. */
import type { Context } from '../../context.ts';
import { notFound, unauthenticated } from '../../errors.ts';
import { loadContacts } from '../users/contacts.ts';
import type { StoredSubscription } from './model.ts';
import { findSubscription } from './store.ts';
import { readUnsubscribeToken } from './tokens.ts';
import { invalidToken } from './unsubscribe.ts';

export interface Addressed {
  businessId: string;
  id: string;
  /** From a mail; whoever has it needs no account. */
  token?: string | undefined;
}

/** Throws as if it did not exist for everybody else. */
export async function ownSubscription(
  ctx: Context,
  { businessId, id, token }: Addressed,
): Promise<StoredSubscription> {
  const named = token === undefined ? undefined : readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (token !== undefined && named !== id.toLowerCase()) throw invalidToken();
  if (token === undefined && !ctx.viewer.user) throw unauthenticated();
  const found = await findSubscription(ctx.db, id);
  if (found?.businessId !== businessId.toLowerCase()) throw notFound('Subscription');
  if (
    named === undefined &&
    !(await ctx.viewer.can('ORDERS_WRITE', found.businessId)) &&
    !(await isTheirs(ctx, found))
  )
    throw notFound('Subscription');
  return found;
}

/** Who made an API key that is limited to some permissions is not there in person. */
export async function isTheirs(
  { db, viewer: { person } }: Context,
  { key }: Pick<StoredSubscription, 'key'>,
): Promise<boolean> {
  if (!person || person.isGuest) return false;
  const contact = (await loadContacts(db, [person.userId])).get(person.userId);
  return contact?.isConfirmed === true && contact.email?.toLowerCase() === key;
}
