/** Takes an unsubscribing back by the token of a mail. Doing it again changes nothing. */
import type { Context } from '../../../context.ts';
import { validationError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { findCollectionUnrestricted } from '../../collections/read/find-collection.ts';
import { readUnsubscribeToken } from '../mail/mail-tokens.ts';
import { type Subscription, toPublicSubscription } from '../model.ts';
import { reactivateOnResubscribe } from './resubscribe-rules.ts';
import { lockSubscription, saveSubscription } from './subscription-store.ts';
import { invalidMailTokenError } from './unsubscribe.ts';

/** Who has not left stays where they are: the token is no confirmation, and no payment. */
export async function resubscribe(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<{ subscription: Subscription }> {
  const id = readUnsubscribeToken(ctx.keys.secret, businessId, token);
  if (id === undefined) throw invalidMailTokenError();
  const subscription = await ctx.db.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    const collection =
      before && (await findCollectionUnrestricted(tx, before.businessId, before.collectionId));
    if (!collection) throw invalidMailTokenError();
    if (before.status !== 'UNSUBSCRIBED') return before;
    const plan = collection.plans.find(({ id: planId }) => planId === before.planId);
    const isFree = before.planId === undefined ? collection.plans.length === 0 : plan?.price.amount === 0;
    const after = reactivateOnResubscribe(before, { time: now(), isFree });
    if (!after) throw toBePaid();
    return saveSubscription(ctx, tx, before, after);
  });
  return { subscription: toPublicSubscription(subscription) };
}

const toBePaid = () =>
  validationError({
    field: 'token',
    error: 'NOT_ACTIVE',
    message: 'What was paid for is over, or the plan is gone. Subscribe again instead.',
  });
