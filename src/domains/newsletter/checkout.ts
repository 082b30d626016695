/** The payment page of a paid plan: one per attempt, the same for everybody who asks while it is open. */

import type { Context } from '../../context.ts';
import { intervalOf } from '../../lib/intervals.ts';
import { now } from '../../lib/time.ts';
import { businessName } from '../businesses/businesses.ts';
import type { Collection, Plan } from '../collections/model.ts';
import { closeAttempts, liveAttempt, nextAttempt, type Wanted } from '../payments/attempts.ts';
import type { Attempt } from '../payments/model.ts';
import { makePage, pageFault } from '../payments/page.ts';
import { returningFrom, returnUrls } from '../payments/return-urls.ts';
import type { Subscribe } from './checks.ts';
import type { Subscription } from './model.ts';
import { lockSubscription } from './store.ts';

const sessionSeconds = 30 * 60;
/** A page that closes in a minute is no use to anybody. */
const stillUseful = 60;

export interface Checkout {
  subscription: Subscription;
  collection: Collection;
  plan: Plan;
  input: Pick<Subscribe['input'], 'returnUrl' | 'cancelUrl'>;
}

export async function checkoutUrl(ctx: Context, checkout: Checkout): Promise<string> {
  const { subscription, collection, plan, input } = checkout;
  const urls = returningFrom(returnUrls(ctx.config, input), 'subscriptionId', subscription.id);
  const attempt = await currentAttempt(ctx, subscription.id, plan);
  if (attempt.url !== undefined) return attempt.url;
  const url = await makePage(ctx, attempt, {
    merchant: await businessName(ctx.db, collection.businessId),
    lines: [{ name: `${collection.name}: ${plan.name}`, quantity: 1, amount: plan.price.amount }],
    ...urls,
    customerEmail: subscription.email,
    interval: intervalOf(plan.price.interval),
  }).catch((error: unknown) => {
    throw pageFault(error, unavailable);
  });
  if (url === undefined) throw pageFault(undefined, unavailable);
  return url;
}

const unavailable = 'Payments are not available at the moment, try again.';

/**
 * The attempt that is open for this plan at this price, or a new one whose page is still to be made. Callers at the same time get the
 * same attempt, so that the provider sees one request however often it comes. The pages of other plans are closed.
 */
const currentAttempt = (ctx: Context, subscriptionId: string, plan: Plan): Promise<Attempt> =>
  ctx.db.transaction(async (tx) => {
    await lockSubscription(tx, subscriptionId);
    const wanted: Wanted = {
      kind: 'subscription',
      subjectId: subscriptionId,
      item: plan.id,
      amount: plan.price.amount,
      currency: plan.price.currency.toUpperCase(),
      expiresAt: now() + sessionSeconds,
    };
    const open = await liveAttempt(tx, 'subscription', subscriptionId);
    if (open && isFor(open, wanted)) return open;
    await closeAttempts(ctx, tx, 'subscription', subscriptionId);
    return nextAttempt(tx, wanted);
  });

/** While money is on its way, a second page would ask for it twice. */
const isFor = ({ item, amount, currency, state, expiresAt }: Attempt, wanted: Wanted): boolean =>
  item === wanted.item &&
  amount === wanted.amount &&
  currency === wanted.currency &&
  (state === 'PROCESSING' || expiresAt >= now() + stillUseful);
