/** Opens the payment page of a paid plan; concurrent and repeated requests share the open page. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { parseBillingInterval } from '../../../lib/commerce/billing-intervals.ts';
import { toPayableAmount } from '../../../lib/commerce/round-to-payable-amount.ts';
import { now } from '../../../lib/time.ts';
import { loadBusinessName } from '../../businesses/manage-businesses.ts';
import type { Collection, NewsletterPlan } from '../../collections/model.ts';
import { closeOpenPaymentAttempts } from '../../payments/close-payment-attempts.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { openCheckoutSession, toCheckoutError } from '../../payments/open-checkout-session.ts';
import { addSubjectToReturnUrls, resolvePaymentReturnUrls } from '../../payments/return-urls.ts';
import {
  createNextPaymentAttempt,
  findOpenPaymentAttempt,
  type NewPaymentAttempt,
} from '../../payments/stored-payment-attempts.ts';
import {
  isPlanPending,
  type NewsletterSubscription,
  type StoredNewsletterSubscription,
  toPublicSubscription,
} from '../model.ts';
import type { SubscribeArgs } from '../schemas.ts';
import { lockSubscription } from '../subscriptions/find-and-lock-subscriptions.ts';

const sessionSeconds = 30 * 60;
/** A page that expires within this many seconds is replaced by a new one. */
const minRemainingSeconds = 60;

interface PlanCheckoutRequest {
  subscription: NewsletterSubscription;
  collection: Collection;
  plan: NewsletterPlan;
  input: Pick<SubscribeArgs['input'], 'returnUrl' | 'cancelUrl'>;
  /** Opens a page in any case: the caller must not learn the state of the subscription. A payment that fits no plan is refunded. */
  isUniform?: boolean;
}

/** Returns the URL of the page, or the subscription when it no longer waits for a payment of this plan. */
export async function findOrCreatePlanCheckout(
  ctx: Context,
  checkout: PlanCheckoutRequest,
): Promise<{ checkoutUrl: string } | { subscription: NewsletterSubscription }> {
  const { subscription, collection, plan, input, isUniform = false } = checkout;
  const urls = addSubjectToReturnUrls(
    resolvePaymentReturnUrls(ctx.config, input),
    'subscriptionId',
    subscription.id,
  );
  const { attempt, current } = await currentAttempt(ctx, subscription.id, plan, isUniform);
  if (!attempt) return { subscription: toPublicSubscription(current) };
  if (attempt.url !== undefined) return { checkoutUrl: attempt.url };
  const url = await openCheckoutSession(ctx, attempt, {
    merchant: await loadBusinessName(ctx.db, collection.businessId),
    lines: [{ name: `${collection.name}: ${plan.name}`, quantity: 1, amount: attempt.amount }],
    ...urls,
    customerEmail: subscription.email,
    interval: parseBillingInterval(plan.price.interval),
  }).catch((error: unknown) => {
    throw toCheckoutError(error, unavailable);
  });
  if (url === undefined) throw toCheckoutError(undefined, unavailable);
  return { checkoutUrl: url };
}

interface CurrentAttempt {
  current: StoredNewsletterSubscription;
  attempt: PaymentAttempt | undefined;
}

const unavailable = 'Payments are currently unavailable. Try again.';

/**
 * Returns the open attempt for this plan and price, or creates one without a payment page. The lock on the subscription gives concurrent
 * requests the same attempt, hence one idempotency key at the provider. Closes the payment pages of other plans. No attempt when the
 * subscription was ended, paid or moved to another plan in the meantime.
 */
const currentAttempt = (
  ctx: Context,
  subscriptionId: string,
  plan: NewsletterPlan,
  isUniform: boolean,
): Promise<CurrentAttempt> =>
  ctx.db.transaction(async (tx) => {
    const current = await lockSubscription(tx, subscriptionId);
    if (!current) throw notFoundError('Subscription');
    if (!isUniform && !isPlanPending(current, plan.id)) return { current, attempt: undefined };
    const currency = plan.price.currency.toUpperCase();
    const requested: NewPaymentAttempt = {
      kind: 'subscription',
      subjectId: subscriptionId,
      item: plan.id,
      amount: toPayableAmount(plan.price.amount, currency),
      currency,
      expiresAt: now() + sessionSeconds,
    };
    const open = await findOpenPaymentAttempt(tx, 'subscription', subscriptionId);
    if (open && isReusable(open, requested)) return { current, attempt: open };
    await closeOpenPaymentAttempts(ctx, tx, 'subscription', subscriptionId);
    return { current, attempt: await createNextPaymentAttempt(tx, requested) };
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
