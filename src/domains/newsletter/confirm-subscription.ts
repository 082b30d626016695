/** Lets a subscription begin whose address was confirmed by the token of its mail. Doing it again changes nothing. */
import type { Context } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { type Subscription, shown } from './model.ts';
import { confirmed } from './rejoin.ts';
import { lockSubscription, saveSubscription } from './store.ts';
import { readConfirmToken } from './tokens.ts';
import { invalidToken } from './unsubscribe.ts';

/** Who has left in the meantime stays away: the subscription says where it stands. */
export async function confirmSubscription(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ subscription: Subscription }> {
  const id = readConfirmToken(ctx.keys.secret, businessId, token);
  if (id === undefined) throw invalidToken();
  const subscription = await ctx.db.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    // Nobody had confirmed it for so long that it is gone.
    if (!before) throw invalidToken();
    const after = confirmed(before, now());
    return after === before ? before : saveSubscription(ctx, tx, before, after);
  });
  return { subscription: shown(subscription) };
}
