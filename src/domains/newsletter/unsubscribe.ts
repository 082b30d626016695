/** Ends a subscription by the token of a mail, with the payment provider too. Doing it again changes nothing. */

import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { moveRenewal } from './renewals.ts';
import { lockSubscription } from './store.ts';
import { readUnsubscribeToken } from './tokens.ts';

export async function unsubscribe(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ success: true }> {
  const id = readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (id === undefined) throw invalidToken();
  await ctx.db.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, id);
    if (!subscription || subscription.status === 'UNSUBSCRIBED') return;
    await moveRenewal(ctx, tx, subscription, { type: 'closed' }, () => ({ status: 'UNSUBSCRIBED' }));
  });
  return { success: true };
}

export const invalidToken = () =>
  invalid({ field: 'token', error: 'INVALID_TOKEN', message: 'This link is not valid, or not any more.' });
