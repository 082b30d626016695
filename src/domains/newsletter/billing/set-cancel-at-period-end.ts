/** Schedules the end of a subscription at the end of its paid period, or takes that back. */
import type { Context } from '../../../context.ts';
import { removeDeadline } from '../../../db/index.ts';
import { AppError, validationError } from '../../../errors.ts';
import { PaymentRejectedError } from '../../../ports/payments.ts';
import { callPaymentProvider } from '../../payments/call-payment-provider.ts';
import { type NewsletterSubscription, toPublicSubscription } from '../model.ts';
import { requireManageableSubscription, type SubscriptionRef } from '../subscribe/subscription-access.ts';
import { lockSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { applyRenewalEvent } from './apply-renewal-event.ts';
import { isSubscriptionRenewing } from './renewal-of-stored-subscription.ts';
import { syncRenewalJob } from './sync-renewals.ts';

/** Calls the provider before writing to the database: the provider does the billing, so its state decides. */
export async function setSubscriptionCancelAtPeriodEnd(
  ctx: Context,
  address: SubscriptionRef,
  cancel: boolean,
): Promise<{ subscription: NewsletterSubscription }> {
  const existing = await requireManageableSubscription(ctx, address);
  const { id, recurringId } = existing;
  if (recurringId === undefined || !isSubscriptionRenewing(existing)) throw notRenewingError();
  const request = () => ctx.payments.setCancelAtPeriodEnd(recurringId, cancel);
  await callPaymentProvider(ctx, request).catch(async (error: unknown) => {
    if (error instanceof PaymentRejectedError) throw notRenewingError();
    // The call may have taken effect: the job reads the state from the provider.
    await ctx.jobs.enqueue(removeDeadline(ctx.db), syncRenewalJob, { id });
    throw new AppError('UNAVAILABLE', 'The payment provider is unavailable. Try again.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  });
  const subscription = await ctx.db.transaction(async (tx) => {
    const current = await lockSubscription(tx, id);
    if (current?.recurringId !== recurringId || !isSubscriptionRenewing(current)) throw notRenewingError();
    // With concurrent calls the last one at the provider wins: the job reads its final state.
    await ctx.jobs.enqueue(tx, syncRenewalJob, { id });
    return applyRenewalEvent(ctx, tx, current, { type: 'status', cancelAtPeriodEnd: cancel });
  });
  return { subscription: toPublicSubscription(subscription.subscription) };
}

const notRenewingError = () =>
  validationError('id', 'NOT_RENEWING', 'This subscription has no active renewal.');
