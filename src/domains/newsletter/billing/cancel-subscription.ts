/** Lets a subscription end with the period that is paid for, or go on after all. */
import type { Context } from '../../../context.ts';
import { AppError, validationError } from '../../../errors.ts';
import { PaymentRejectedError } from '../../../ports/payments.ts';
import { type Subscription, toPublicSubscription } from '../model.ts';
import { requireManageableSubscription, type SubscriptionAddress } from '../subscribe/subscription-access.ts';
import { lockSubscription } from '../subscribe/subscription-store.ts';
import { applyRenewalEvent, isRenewing } from './renewals.ts';
import { syncRenewalJob } from './sync-renewals.ts';

/** The provider is told first: what it knows is what happens. */
export async function setSubscriptionCancelAtPeriodEnd(
  ctx: Context,
  at: SubscriptionAddress,
  cancel: boolean,
): Promise<{ subscription: Subscription }> {
  const found = await requireManageableSubscription(ctx, at);
  const { id, recurringId } = found;
  if (recurringId === undefined || !isRenewing(found)) throw notRenewingError();
  await ctx.payments.setCancelAtPeriodEnd(recurringId, cancel).catch((error: unknown) => {
    if (error instanceof PaymentRejectedError) throw notRenewingError();
    throw new AppError('UNAVAILABLE', 'The payment provider does not answer, try again.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  });
  const subscription = await ctx.db.transaction(async (tx) => {
    const current = await lockSubscription(tx, id);
    if (current?.recurringId !== recurringId || !isRenewing(current)) throw notRenewingError();
    // Of several at the same time, what the provider has heard last counts: it is asked once more.
    await ctx.jobs.enqueue(tx, syncRenewalJob, { id });
    return applyRenewalEvent(ctx, tx, current, { type: 'told', cancelAtPeriodEnd: cancel });
  });
  return { subscription: toPublicSubscription(subscription.subscription) };
}

export const notRenewingError = () =>
  validationError({ field: 'id', error: 'NOT_RENEWING', message: 'This subscription does not renew.' });
