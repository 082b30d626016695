/** Puts an email on a newsletter's list: at once when the plan is free, after the payment when it is not, after a confirmation where that is asked for. */

import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { AppError, notFoundError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { type Collection, isNewsletter, type Plan } from '../../collections/model.ts';
import { findCollection } from '../../collections/read/find-collection.ts';
import { changeAndEmit } from '../../webhooks/emit-events.ts';
import { openPlanCheckout } from '../billing/plan-checkout.ts';
import { buildSubscriptionEvents } from '../events.ts';
import { queueOptInMail } from '../mail/opt-in-mail.ts';
import {
  type StoredSubscription,
  type Subscription,
  subscriptions,
  toPublicSubscription,
  toSubscription,
} from '../model.ts';
import type { SubscribeArgs } from '../schemas.ts';
import { canSubscribeWithoutConfirmation } from './double-opt-in.ts';
import { reactivateOnSubscribe } from './resubscribe-rules.ts';
import { lockSubscriptionByEmail, saveSubscription } from './subscription-store.ts';

export type SubscribeResult =
  | { subscription: Subscription; checkoutUrl?: undefined }
  | { subscription?: undefined; checkoutUrl: string };

/** `sent` is the request as it came: repeated with the same key, it gets the same answer. */
export async function subscribeToNewsletter(
  ctx: Context,
  { businessId, collectionId, input }: SubscribeArgs,
  sent: object,
): Promise<SubscribeResult> {
  const collection = await findCollection(ctx, { businessId, id: collectionId });
  if (!collection) throw notFoundError('Collection');
  if (!isNewsletter(collection)) throw notANewsletterError();
  const plan = requirePlan(collection, input.planId);
  const isProven = await canSubscribeWithoutConfirmation(ctx, collection, input.email);
  const asked = { plan, input, isProven };
  const subscription = await runIdempotent(ctx, 'subscribe', sent, (queries) =>
    isProven
      ? join(ctx, queries, collection, asked)
      : queries.transaction((tx) => join(ctx, tx, collection, asked)),
  );
  if (subscription.status !== 'PENDING' || !plan) return { subscription };
  return { checkoutUrl: await openPlanCheckout(ctx, { subscription, collection, plan, input }) };
}

export const notANewsletterError = (field = 'collectionId') =>
  validationError({ field, error: 'NOT_A_NEWSLETTER', message: 'The collection is not a newsletter.' });

/** A newsletter without plans has one that needs no name: free. */
export function requirePlan({ plans }: Collection, planId: string | undefined): Plan | undefined {
  if (planId === undefined && plans.length === 0) return undefined;
  const plan = plans.find(({ id }) => id === planId);
  if (!plan) {
    throw validationError({
      field: 'planId',
      error: planId === undefined ? 'REQUIRED' : 'PLAN_NOT_FOUND',
      message: `Choose one of the plans: ${plans.map(({ id }) => id).join(', ')}.`.slice(0, 500),
    });
  }
  return plan;
}

interface Joining {
  plan: Plan | undefined;
  input: SubscribeArgs['input'];
  /** Whether somebody answers for the address. */
  isProven: boolean;
}

const insertStatement = `${subscriptions.insert} on conflict (collection_id, key) do nothing returning ${subscriptions.columns}`;

/** One per list and email, whatever happens at the same time. */
async function join(
  ctx: Context,
  queries: Queries,
  { id: collectionId, businessId, name: letter }: Collection,
  { plan, input: { email, name = '', market }, isProven }: Joining,
): Promise<Subscription> {
  const isFree = !plan || plan.price.amount === 0;
  const [key, planId, time] = [email.toLowerCase(), plan?.id, now()];
  const joining: StoredSubscription = {
    id: newId(),
    businessId,
    collectionId,
    email,
    key,
    name,
    planId,
    market,
    status: isFree ? (isProven ? 'ACTIVE' : 'PENDING_CONFIRMATION') : 'PENDING',
    createdAt: time,
    updatedAt: time,
  };
  const [created] = await changeAndEmit<TableRow>(ctx, queries, {
    statement: insertStatement,
    params: subscriptions.insertParams(joining),
    businessId,
    events: buildSubscriptionEvents(undefined, joining),
  });
  if (created) {
    if (joining.status === 'PENDING_CONFIRMATION') await queueOptInMail(ctx, queries, joining, letter);
    return toSubscription(created);
  }
  return queries.transaction(async (tx) => {
    const before = await lockSubscriptionByEmail(tx, collectionId, key);
    // It went this very moment, with its newsletter or because nobody had confirmed it.
    if (!before) throw new AppError('UNAVAILABLE', 'Try again.', { headers: { 'Retry-After': '1' } });
    const after = reactivateOnSubscribe(before, joining, { time, isProven });
    if (after.status === 'PENDING_CONFIRMATION') await queueOptInMail(ctx, tx, after, letter);
    return toPublicSubscription(after === before ? before : await saveSubscription(ctx, tx, before, after));
  });
}
