/** Reactivates an unsubscribed subscription by the token of a mail. Idempotent. */
import type { Context } from '../../../context.ts';
import { validationError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-collection.ts';
import { readUnsubscribeToken } from '../mail/mail-tokens.ts';
import { type Subscription, toPublicSubscription } from '../model.ts';
import { reactivateOnResubscribe } from './reactivation.ts';
import { lockSubscription, saveSubscription } from './subscription-store.ts';
import { invalidMailTokenError } from './unsubscribe.ts';

/** Any other status stays as it is: the token neither confirms the email address nor pays the plan. */
export async function resubscribeToNewsletter(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ subscription: Subscription }> {
  const id = readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (id === undefined) throw invalidMailTokenError();
  const subscription = await ctx.db.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    const collection =
      before && (await findCollectionWithoutVisibilityCheck(tx, before.businessId, before.collectionId));
    if (!collection) throw invalidMailTokenError();
    if (before.status !== 'UNSUBSCRIBED') return before;
    const plan = collection.plans.find(({ id: planId }) => planId === before.planId);
    const isFree = before.planId === undefined ? collection.plans.length === 0 : plan?.price.amount === 0;
    const after = reactivateOnResubscribe(before, { time: now(), isFree });
    if (!after) throw notPaidError();
    return saveSubscription(ctx, tx, before, after);
  });
  return { subscription: toPublicSubscription(subscription) };
}

const notPaidError = () =>
  validationError({
    field: 'token',
    error: 'NOT_ACTIVE',
    message: 'The paid period is over or the plan no longer exists. Subscribe again instead.',
  });
