/** Reactivates an ended subscription by the token of a mail. Idempotent. */
import type { Context } from '../../../context.ts';
import { validationError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { readUnsubscribeToken } from '../mail/mail-tokens.ts';
import {
  buildErasedSubscriberEmail,
  hasSubscriptionEnded,
  type NewsletterSubscription,
  toPublicSubscription,
} from '../model.ts';
import { lockSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';
import { saveSubscription } from '../subscriptions/save-subscription.ts';
import { reactivateOnResubscribe } from './reactivation-rules.ts';
import { invalidMailTokenError } from './unsubscribe.ts';

/** Any other status stays as it is: the token neither confirms the email address nor pays the plan. */
export async function resubscribeToNewsletter(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ subscription: NewsletterSubscription }> {
  const id = readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (id === undefined) throw invalidMailTokenError();
  const subscription = await ctx.db.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    const collection =
      before && (await findCollectionWithoutVisibilityCheck(tx, before.businessId, before.collectionId));
    // The tokens of a deleted account are invalid.
    if (!collection || before.key === buildErasedSubscriberEmail(id)) throw invalidMailTokenError();
    if (!hasSubscriptionEnded(before)) return before;
    const isFreePlan = (planId: string | undefined) =>
      planId === undefined
        ? collection.plans.length === 0
        : collection.plans.find((plan) => plan.id === planId)?.price.amount === 0;
    const after = reactivateOnResubscribe(before, { time: now(), isFreePlan });
    if (!after) throw notPaidError();
    return saveSubscription(ctx, tx, before, after);
  });
  return { subscription: toPublicSubscription(subscription) };
}

const notPaidError = () =>
  validationError(
    'token',
    'NOT_ACTIVE',
    'The paid period is over or the plan no longer exists. Subscribe again instead.',
  );
