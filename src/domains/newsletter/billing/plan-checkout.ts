/** The payment page of a paid plan: one per attempt, the same for everybody who asks while it is open. */

import type { Context } from '../../../context.ts';
import { now, parseBillingInterval } from '../../../lib/time.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import type { Collection, Plan } from '../../collections/model.ts';
import { openCheckoutSession, toCheckoutError } from '../../payments/checkout-session.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import {
  closeOpenAttempts,
  createNextAttempt,
  findOpenAttempt,
  type NewAttempt,
} from '../../payments/payment-attempts.ts';
import { addSubjectToReturnUrls, requireReturnUrls } from '../../payments/return-urls.ts';
import type { Subscription } from '../model.ts';
import type { SubscribeArgs } from '../schemas.ts';
import { lockSubscription } from '../subscribe/subscription-store.ts';

const sessionSeconds = 30 * 60;
/** A page that closes in a minute is no use to anybody. */
const stillUseful = 60;

export interface PlanCheckout {
  subscription: Subscription;
  collection: Collection;
  plan: Plan;
  input: Pick<SubscribeArgs['input'], 'returnUrl' | 'cancelUrl'>;
}

export async function openPlanCheckout(ctx: Context, checkout: PlanCheckout): Promise<string> {
  const { subscription, collection, plan, input } = checkout;
  const urls = addSubjectToReturnUrls(
    requireReturnUrls(ctx.config, input),
    'subscriptionId',
    subscription.id,
  );
  const attempt = await currentAttempt(ctx, subscription.id, plan);
  if (attempt.url !== undefined) return attempt.url;
  const url = await openCheckoutSession(ctx, attempt, {
    merchant: await loadBusinessName(ctx.db, collection.businessId),
    lines: [{ name: `${collection.name}: ${plan.name}`, quantity: 1, amount: plan.price.amount }],
    ...urls,
    customerEmail: subscription.email,
    interval: parseBillingInterval(plan.price.interval),
  }).catch((error: unknown) => {
    throw toCheckoutError(error, unavailable);
  });
  if (url === undefined) throw toCheckoutError(undefined, unavailable);
  return url;
}

const unavailable = 'Payments are not available at the moment, try again.';

/**
 * The attempt that is open for this plan at this price, or a new one whose page is still to be made. Callers at the same time get the
 * same attempt, so that the provider sees one request however often it comes. The pages of other plans are closed.
 */
const currentAttempt = (ctx: Context, subscriptionId: string, plan: Plan): Promise<PaymentAttempt> =>
  ctx.db.transaction(async (tx) => {
    await lockSubscription(tx, subscriptionId);
    const wanted: NewAttempt = {
      kind: 'subscription',
      subjectId: subscriptionId,
      item: plan.id,
      amount: plan.price.amount,
      currency: plan.price.currency.toUpperCase(),
      expiresAt: now() + sessionSeconds,
    };
    const open = await findOpenAttempt(tx, 'subscription', subscriptionId);
    if (open && isFor(open, wanted)) return open;
    await closeOpenAttempts(ctx, tx, 'subscription', subscriptionId);
    return createNextAttempt(tx, wanted);
  });

/** While money is on its way, a second page would ask for it twice. */
const isFor = ({ item, amount, currency, state, expiresAt }: PaymentAttempt, wanted: NewAttempt): boolean =>
  item === wanted.item &&
  amount === wanted.amount &&
  currency === wanted.currency &&
  (state === 'PROCESSING' || expiresAt >= now() + stillUseful);
