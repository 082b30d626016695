/** Ends a subscription by the token of a mail, including its recurring payment at the provider. Idempotent. */
import type { Context } from '../../../context.ts';
import { validationError } from '../../../errors.ts';
import { applyRenewalEvent } from '../billing/apply-renewal-event.ts';
import { readUnsubscribeToken } from '../mail/mail-tokens.ts';
import { lockSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';

export async function unsubscribeFromNewsletter(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ success: true }> {
  const id = readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (id === undefined) throw invalidMailTokenError();
  await ctx.db.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, id);
    if (!subscription) return;
    // Leaving again withdraws a plan that was requested since.
    if (subscription.status === 'UNSUBSCRIBED' && subscription.nextPlanId === undefined) return;
    await applyRenewalEvent(ctx, tx, subscription, { type: 'cancelled' }, () => ({
      status: 'UNSUBSCRIBED',
      nextPlanId: undefined,
    }));
  });
  return { success: true };
}

export const invalidMailTokenError = () =>
  validationError('token', 'INVALID_TOKEN', 'This link is invalid or has expired.');
