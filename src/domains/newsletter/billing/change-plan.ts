/** Changes the plan of an active subscription: immediately to a free plan, after payment to a paid one. */
import type { Context } from '../../../context.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { closeOpenPaymentAttempts } from '../../payments/close-payment-attempts.ts';
import { resolvePaymentReturnUrls } from '../../payments/return-urls.ts';
import { type StoredNewsletterSubscription, toPublicSubscription } from '../model.ts';
import type { ChangePlanArgs } from '../schemas.ts';
import {
  requireNewsletterPlan,
  type SubscriptionOrCheckoutUrl,
} from '../subscribe/subscribe-to-newsletter.ts';
import { requireManageableSubscription } from '../subscribe/subscription-access.ts';
import { lockSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { saveSubscription } from '../subscriptions/save-subscription.ts';
import { applyRenewalEvent } from './apply-renewal-event.ts';
import { findOrCreatePlanCheckout } from './find-or-create-plan-checkout.ts';
import { toStoredRenewalFields } from './renewal-of-stored-subscription.ts';

/** The old plan stays active until the new one is paid. Payments for the old plan are not refunded. */
export async function changeSubscriptionPlan(
  ctx: Context,
  { businessId, id, input }: ChangePlanArgs,
): Promise<SubscriptionOrCheckoutUrl> {
  const existing = await requireManageableSubscription(ctx, { businessId, id, token: input.token });
  // Validates the return URLs before any write.
  resolvePaymentReturnUrls(ctx.config, input);
  const collection = await findCollectionWithoutVisibilityCheck(
    ctx.db,
    existing.businessId,
    existing.collectionId,
  );
  if (!collection) throw notFoundError('Subscription');
  const plan = requireNewsletterPlan(collection, input.planId);
  if (!plan) throw notFoundError('Subscription');
  const isFree = plan.price.amount === 0;
  const subscription = toPublicSubscription(await selectPlan(ctx, existing.id, plan.id, isFree));
  if (isFree || subscription.planId === plan.id) return { subscription };
  return findOrCreatePlanCheckout(ctx, { subscription, collection, plan, input });
}

const selectPlan = (
  ctx: Context,
  id: string,
  planId: string,
  isFree: boolean,
): Promise<StoredNewsletterSubscription> =>
  ctx.db.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    if (!before) throw notFoundError('Subscription');
    if (before.status !== 'ACTIVE') throw notActiveError();
    if (before.planId !== planId && !isFree)
      return saveSubscription(ctx, tx, before, { ...before, nextPlanId: planId });
    // The current plan was chosen again, or the new one is free: no payment page may stay open.
    await closeOpenPaymentAttempts(ctx, tx, 'subscription', id);
    if (before.planId === planId)
      return before.nextPlanId === undefined
        ? before
        : saveSubscription(ctx, tx, before, { ...before, nextPlanId: undefined });
    const { subscription } = await applyRenewalEvent(ctx, tx, before, { type: 'cancelled' }, () => ({
      status: 'ACTIVE',
      planId,
      nextPlanId: undefined,
      paymentId: undefined,
      recurringId: undefined,
      ...toStoredRenewalFields(undefined),
    }));
    return subscription;
  });

const notActiveError = () =>
  validationError('id', 'NOT_ACTIVE', 'Only an active subscription can change its plan. Subscribe instead.');
