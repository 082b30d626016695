/** Activates a subscription by the token of its confirmation mail. Idempotent. */
import type { Context } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { readSubscriptionConfirmToken } from '../mail/mail-tokens.ts';
import { type NewsletterSubscription, toPublicSubscription } from '../model.ts';
import { lockSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { saveSubscription } from '../subscriptions/save-subscription.ts';
import { activateOnConfirmation } from './reactivation-rules.ts';
import { invalidMailTokenError } from './unsubscribe.ts';

/** A subscription that was ended in the meantime stays ended; the returned status shows that. */
export async function confirmSubscription(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ subscription: NewsletterSubscription }> {
  const id = readSubscriptionConfirmToken(ctx.keys.secret, businessId, token);
  if (id === undefined) throw invalidMailTokenError();
  const subscription = await ctx.db.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    // The retention job deletes unconfirmed subscriptions.
    if (!before) throw invalidMailTokenError();
    const after = activateOnConfirmation(before, now());
    return after === before ? before : saveSubscription(ctx, tx, before, after);
  });
  return { subscription: toPublicSubscription(subscription) };
}
