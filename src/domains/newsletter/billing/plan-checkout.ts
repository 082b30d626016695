/** Opens the payment page of a paid plan; concurrent and repeated requests share the open page. */

import type { Context } from '../../../context.ts';
import { parseBillingInterval } from '../../../lib/commerce/billing-intervals.ts';
import { now } from '../../../lib/time.ts';
import { loadBusinessName } from '../../businesses/businesses.ts';
import type { Collection, NewsletterPlan } from '../../collections/model.ts';
import { openCheckoutSession, toCheckoutError } from '../../payments/checkout-session.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import {
  closeOpenPaymentAttempts,
  createNextPaymentAttempt,
  findOpenPaymentAttempt,
  type NewPaymentAttempt,
} from '../../payments/payment-attempts.ts';
import { addSubjectToReturnUrls, resolvePaymentReturnUrls } from '../../payments/return-urls.ts';
import type { Subscription } from '../model.ts';
import type { SubscribeArgs } from '../schemas.ts';
import { lockSubscription } from '../subscribe/subscription-store.ts';

const sessionSeconds = 30 * 60;
/** A page that expires within this many seconds is replaced by a new one. */
const minRemainingSeconds = 60;

export interface PlanCheckoutRequest {
  subscription: Subscription;
  collection: Collection;
  plan: NewsletterPlan;
  input: Pick<SubscribeArgs['input'], 'returnUrl' | 'cancelUrl'>;
}

export async function findOrCreatePlanCheckoutUrl(
  ctx: Context,
  checkout: PlanCheckoutRequest,
): Promise<string> {
  const { subscription, collection, plan, input } = checkout;
  const urls = addSubjectToReturnUrls(
    resolvePaymentReturnUrls(ctx.config, input),
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

const unavailable = 'Payments are currently unavailable. Try again.';

/**
 * Returns the open attempt for this plan and price, or creates one without a payment page. The lock on the subscription gives concurrent
 * requests the same attempt, hence one idempotency key at the provider. Closes the payment pages of other plans.
 */
const currentAttempt = (
  ctx: Context,
  subscriptionId: string,
  plan: NewsletterPlan,
): Promise<PaymentAttempt> =>
  ctx.db.transaction(async (tx) => {
    await lockSubscription(tx, subscriptionId);
    const requested: NewPaymentAttempt = {
      kind: 'subscription',
      subjectId: subscriptionId,
      item: plan.id,
      amount: plan.price.amount,
      currency: plan.price.currency.toUpperCase(),
      expiresAt: now() + sessionSeconds,
    };
    const open = await findOpenPaymentAttempt(tx, 'subscription', subscriptionId);
    if (open && isReusable(open, requested)) return open;
    await closeOpenPaymentAttempts(ctx, tx, 'subscription', subscriptionId);
    return createNextPaymentAttempt(tx, requested);
  });

/** A PROCESSING attempt is reused even after its expiry: its payment is in transit, and a second page would charge it twice. */
const isReusable = (
  { item, amount, currency, state, expiresAt }: PaymentAttempt,
  requested: NewPaymentAttempt,
): boolean =>
  item === requested.item &&
  amount === requested.amount &&
  currency === requested.currency &&
  (state === 'PROCESSING' || expiresAt >= now() + minRemainingSeconds);
