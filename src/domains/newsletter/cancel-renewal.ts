/** Lets a subscription end with the period that is paid for, or go on after all. */
import type { Context } from '../../context.ts';
import { AppError, invalid } from '../../errors.ts';
import { PaymentRefused } from '../../ports/payments.ts';
import { lookUpRenewalJob } from './look-up.ts';
import { type Subscription, shown } from './model.ts';
import { type Addressed, ownSubscription } from './own-subscription.ts';
import { isRenewing, moveRenewal } from './renewals.ts';
import { lockSubscription } from './store.ts';

/** The provider is told first: what it knows is what happens. */
export async function setCancelAtPeriodEnd(
  ctx: Context,
  at: Addressed,
  cancel: boolean,
): Promise<{ subscription: Subscription }> {
  const found = await ownSubscription(ctx, at);
  const { id, recurringId } = found;
  if (recurringId === undefined || !isRenewing(found)) throw notRenewing();
  await ctx.payments.setCancelAtPeriodEnd(recurringId, cancel).catch((error: unknown) => {
    if (error instanceof PaymentRefused) throw notRenewing();
    throw new AppError('UNAVAILABLE', 'The payment provider does not answer, try again.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  });
  const subscription = await ctx.db.transaction(async (tx) => {
    const current = await lockSubscription(tx, id);
    if (current?.recurringId !== recurringId || !isRenewing(current)) throw notRenewing();
    // Of several at the same time, what the provider has heard last counts: it is asked once more.
    await ctx.jobs.enqueue(tx, lookUpRenewalJob, { id });
    return moveRenewal(ctx, tx, current, { type: 'told', cancelAtPeriodEnd: cancel });
  });
  return { subscription: shown(subscription.subscription) };
}

export const notRenewing = () =>
  invalid({ field: 'id', error: 'NOT_RENEWING', message: 'This subscription does not renew.' });
