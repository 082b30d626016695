/** The payment page of a paid plan: one per attempt, the same for everybody who asks while it is open. */

import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { businessName } from '../businesses/businesses.ts';
import type { Collection, Plan } from '../collections/model.ts';
import { returnUrls } from '../payments/return-urls.ts';
import type { Subscribe } from './checks.ts';
import { paymentReference, type Subscription } from './model.ts';

const sessionSeconds = 30 * 60;
/** A page that closes in a minute is no use to anybody. */
const stillUseful = 60;

interface Session {
  attempt: number;
  session_plan_id: string | null;
  session_id: string | null;
  session_url: string | null;
  session_expires_at: number | null;
}

export interface Checkout {
  subscription: Subscription;
  collection: Collection;
  plan: Plan;
  input: Subscribe['input'];
}

export async function checkoutUrl(ctx: Context, checkout: Checkout): Promise<string> {
  const { subscription, collection, plan, input } = checkout;
  const urls = returnUrls(ctx.config, input);
  const session = await currentSession(ctx, subscription.id, plan.id);
  if (session.session_url) return session.session_url;
  const { url, id } = await ctx.payments
    .createSession({
      reference: paymentReference(subscription.id, session.attempt),
      merchant: await businessName(ctx.db, collection.businessId),
      currency: plan.price.currency.toUpperCase(),
      amount: plan.price.amount,
      lines: [{ name: `${collection.name}: ${plan.name}`, quantity: 1, amount: plan.price.amount }],
      expiresAt: session.session_expires_at ?? now() + sessionSeconds,
      ...urls,
      customerEmail: subscription.email,
    })
    .catch((error: unknown) => {
      throw error instanceof AppError ? error : unavailable(error);
    });
  await ctx.db.sql(
    'update subscriptions set session_id = $3, session_url = $4 where id = $1 and attempt = $2',
    [subscription.id, session.attempt, id, url],
  );
  return url;
}

/**
 * The session that is open for this plan, or a new attempt whose page is still to be made. Callers at the same time
 * get the same attempt, so that the provider sees one request however often it comes.
 */
async function currentSession(ctx: Context, subscriptionId: string, planId: string): Promise<Session> {
  const before = await readSession(ctx, subscriptionId);
  const time = now();
  const isOpen = (before.session_expires_at ?? 0) >= time + stillUseful;
  if (isOpen && before.session_plan_id === planId) return before;
  const replaced = await ctx.db.sql(
    `update subscriptions set attempt = attempt + 1, session_plan_id = $3, session_id = null, session_url = null, session_expires_at = $4
     where id = $1 and attempt = $2 returning 1`,
    [subscriptionId, before.attempt, planId, time + sessionSeconds],
  );
  if (replaced.length > 0 && before.session_id) await closePage(ctx, subscriptionId, before);
  return readSession(ctx, subscriptionId);
}

async function readSession(ctx: Context, subscriptionId: string): Promise<Session> {
  const [session] = await ctx.db.sql<Session>(
    'select attempt, session_plan_id, session_id, session_url, session_expires_at from subscriptions where id = $1',
    [subscriptionId],
  );
  if (!session) throw unavailable();
  return session;
}

/** Nobody should pay for two plans. A page that cannot be closed runs out by itself. */
async function closePage(ctx: Context, subscriptionId: string, { attempt, session_id }: Session) {
  const reference = paymentReference(subscriptionId, attempt);
  await ctx.payments
    .expireSession({ reference, id: session_id ?? undefined })
    .catch((error: unknown) => ctx.log.warn({ err: error, reference }, 'payment page stays open'));
}

const unavailable = (cause?: unknown) =>
  new AppError('UNAVAILABLE', 'Payments are not available at the moment, try again.', {
    headers: { 'Retry-After': '5' },
    ...(cause === undefined ? {} : { cause }),
  });
