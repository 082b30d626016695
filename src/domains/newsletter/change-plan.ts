/** Exchanges the plan of an active subscription: at once for a free one, with its payment for another. */
import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { anyCollection } from '../collections/find-collection.ts';
import { closeAttempts } from '../payments/attempts.ts';
import { returnUrls } from '../payments/return-urls.ts';
import { checkoutUrl } from './checkout.ts';
import type { ChangePlan } from './checks.ts';
import { type StoredSubscription, shown } from './model.ts';
import { ownSubscription } from './own-subscription.ts';
import { moveRenewal, renewalFields } from './renewals.ts';
import { lockSubscription, saveSubscription } from './store.ts';
import { planOf, type Subscribed } from './subscribe.ts';

/** Until the new plan is paid the old one goes on; what was paid for it is not given back. */
export async function changePlan(ctx: Context, { businessId, id, input }: ChangePlan): Promise<Subscribed> {
  const found = await ownSubscription(ctx, { businessId, id, token: input.token });
  // Refused before anything is chosen.
  returnUrls(ctx.config, input);
  const collection = await anyCollection(ctx.db, found.businessId, found.collectionId);
  if (!collection) throw notFound('Subscription');
  const plan = planOf(collection, input.planId);
  if (!plan) throw notFound('Subscription');
  const isFree = plan.price.amount === 0;
  const subscription = shown(await choose(ctx, found.id, plan.id, isFree));
  if (isFree || subscription.planId === plan.id) return { subscription };
  return { checkoutUrl: await checkoutUrl(ctx, { subscription, collection, plan, input }) };
}

const choose = (ctx: Context, id: string, planId: string, isFree: boolean): Promise<StoredSubscription> =>
  ctx.db.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    if (!before) throw notFound('Subscription');
    if (before.status !== 'ACTIVE') throw notActive();
    if (before.planId !== planId && !isFree)
      return saveSubscription(ctx, tx, before, { ...before, nextPlanId: planId });
    // Whoever stays, or pays nothing from now on, has no page to pay on.
    await closeAttempts(ctx, tx, 'subscription', id);
    if (before.planId === planId)
      return before.nextPlanId === undefined
        ? before
        : saveSubscription(ctx, tx, before, { ...before, nextPlanId: undefined });
    const { subscription } = await moveRenewal(ctx, tx, before, { type: 'closed' }, () => ({
      status: 'ACTIVE',
      planId,
      nextPlanId: undefined,
      paymentId: undefined,
      recurringId: undefined,
      ...renewalFields(undefined),
    }));
    return subscription;
  });

const notActive = () =>
  invalid({
    field: 'id',
    error: 'NOT_ACTIVE',
    message: 'Only the plan of an active subscription can be changed. Subscribe instead.',
  });
