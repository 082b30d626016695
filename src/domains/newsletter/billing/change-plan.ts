/** Exchanges the plan of an active subscription: at once for a free one, with its payment for another. */
import type { Context } from '../../../context.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { findCollectionUnrestricted } from '../../collections/read/find-collection.ts';
import { closeOpenAttempts } from '../../payments/payment-attempts.ts';
import { requireReturnUrls } from '../../payments/return-urls.ts';
import { type StoredSubscription, toPublicSubscription } from '../model.ts';
import type { ChangePlanArgs } from '../schemas.ts';
import { requirePlan, type SubscribeResult } from '../subscribe/subscribe-to-newsletter.ts';
import { requireManageableSubscription } from '../subscribe/subscription-access.ts';
import { lockSubscription, saveSubscription } from '../subscribe/subscription-store.ts';
import { openPlanCheckout } from './plan-checkout.ts';
import { applyRenewalEvent, toRenewalFields } from './renewals.ts';

/** Until the new plan is paid the old one goes on; what was paid for it is not given back. */
export async function changePlan(
  ctx: Context,
  { businessId, id, input }: ChangePlanArgs,
): Promise<SubscribeResult> {
  const found = await requireManageableSubscription(ctx, { businessId, id, token: input.token });
  // Refused before anything is chosen.
  requireReturnUrls(ctx.config, input);
  const collection = await findCollectionUnrestricted(ctx.db, found.businessId, found.collectionId);
  if (!collection) throw notFoundError('Subscription');
  const plan = requirePlan(collection, input.planId);
  if (!plan) throw notFoundError('Subscription');
  const isFree = plan.price.amount === 0;
  const subscription = toPublicSubscription(await choose(ctx, found.id, plan.id, isFree));
  if (isFree || subscription.planId === plan.id) return { subscription };
  return { checkoutUrl: await openPlanCheckout(ctx, { subscription, collection, plan, input }) };
}

const choose = (ctx: Context, id: string, planId: string, isFree: boolean): Promise<StoredSubscription> =>
  ctx.db.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    if (!before) throw notFoundError('Subscription');
    if (before.status !== 'ACTIVE') throw notActive();
    if (before.planId !== planId && !isFree)
      return saveSubscription(ctx, tx, before, { ...before, nextPlanId: planId });
    // Whoever stays, or pays nothing from now on, has no page to pay on.
    await closeOpenAttempts(ctx, tx, 'subscription', id);
    if (before.planId === planId)
      return before.nextPlanId === undefined
        ? before
        : saveSubscription(ctx, tx, before, { ...before, nextPlanId: undefined });
    const { subscription } = await applyRenewalEvent(ctx, tx, before, { type: 'closed' }, () => ({
      status: 'ACTIVE',
      planId,
      nextPlanId: undefined,
      paymentId: undefined,
      recurringId: undefined,
      ...toRenewalFields(undefined),
    }));
    return subscription;
  });

const notActive = () =>
  validationError({
    field: 'id',
    error: 'NOT_ACTIVE',
    message: 'Only the plan of an active subscription can be changed. Subscribe instead.',
  });
