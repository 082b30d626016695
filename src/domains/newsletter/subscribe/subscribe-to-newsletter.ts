/** Subscribes an email address to a newsletter: ACTIVE immediately on a free plan, after payment on a paid one, after confirmation with double opt-in. */

import type { Context } from '../../../context.ts';
import type { QueryHandle, TableRow } from '../../../db/index.ts';
import { AppError, notFoundError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { type Collection, isNewsletter, type NewsletterPlan } from '../../collections/model.ts';
import { findCollection } from '../../collections/read/find-collection.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { findOrCreatePlanCheckoutUrl } from '../billing/plan-checkout.ts';
import { buildSubscriptionEvents } from '../build-events.ts';
import { queueOptInMail } from '../mail/opt-in-mail.ts';
import {
  type StoredSubscription,
  type Subscription,
  subscriptionTable,
  toPublicSubscription,
  toSubscription,
} from '../model.ts';
import type { SubscribeArgs } from '../schemas.ts';
import { canSubscribeWithoutConfirmation } from './double-opt-in.ts';
import { reactivateOnSubscribe } from './reactivation.ts';
import { lockSubscriptionByEmail, saveSubscription } from './subscription-store.ts';

export type SubscriptionOrCheckoutUrl =
  | { subscription: Subscription; checkoutUrl?: undefined }
  | { subscription?: undefined; checkoutUrl: string };

/** `request` is the unparsed input; its hash guards the idempotency key. */
export async function subscribeToNewsletter(
  ctx: Context,
  { businessId, collectionId, input }: SubscribeArgs,
  request: object,
): Promise<SubscriptionOrCheckoutUrl> {
  const collection = await findCollection(ctx, { businessId, id: collectionId });
  if (!collection) throw notFoundError('Collection');
  if (!isNewsletter(collection)) throw notANewsletterError();
  const plan = requireNewsletterPlan(collection, input.planId);
  const isConfirmed = await canSubscribeWithoutConfirmation(ctx, collection, input.email);
  const subscriber = { plan, input, isConfirmed };
  const subscription = await runIdempotent(ctx, 'subscribe', request, (queries) =>
    isConfirmed
      ? insertOrReactivate(ctx, queries, collection, subscriber)
      : queries.transaction((tx) => insertOrReactivate(ctx, tx, collection, subscriber)),
  );
  if (subscription.status !== 'PENDING' || !plan) return { subscription };
  return { checkoutUrl: await findOrCreatePlanCheckoutUrl(ctx, { subscription, collection, plan, input }) };
}

export const notANewsletterError = (field = 'collectionId') =>
  validationError({ field, error: 'NOT_A_NEWSLETTER', message: 'The collection is not a newsletter.' });

/** Undefined for a newsletter without plans, which is free. Throws when plans exist and `planId` is none of them. */
export function requireNewsletterPlan(
  { plans }: Collection,
  planId: string | undefined,
): NewsletterPlan | undefined {
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

interface NewSubscriber {
  plan: NewsletterPlan | undefined;
  input: SubscribeArgs['input'];
  /** False when the email address must be confirmed by mail first. */
  isConfirmed: boolean;
}

const insertStatement = `${subscriptionTable.insert} on conflict (collection_id, key) do nothing returning ${subscriptionTable.columns}`;

/** The unique key (collection_id, key) leaves one subscription per newsletter and email address, also under concurrency. */
async function insertOrReactivate(
  ctx: Context,
  queries: QueryHandle,
  { id: collectionId, businessId, name: newsletterName }: Collection,
  { plan, input: { email, name = '', market }, isConfirmed }: NewSubscriber,
): Promise<Subscription> {
  const isFree = !plan || plan.price.amount === 0;
  const [key, planId, time] = [email.toLowerCase(), plan?.id, now()];
  const requested: StoredSubscription = {
    id: newId(),
    businessId,
    collectionId,
    email,
    key,
    name,
    planId,
    market,
    status: isFree ? (isConfirmed ? 'ACTIVE' : 'PENDING_CONFIRMATION') : 'PENDING',
    createdAt: time,
    updatedAt: time,
  };
  const [created] = await runStatementAndEmitWebhookEvents<TableRow>(ctx, queries, {
    statement: insertStatement,
    params: subscriptionTable.insertParams(requested),
    businessId,
    events: buildSubscriptionEvents(undefined, requested),
  });
  if (created) {
    if (requested.status === 'PENDING_CONFIRMATION')
      await queueOptInMail(ctx, queries, requested, newsletterName);
    return toSubscription(created);
  }
  return queries.transaction(async (tx) => {
    const before = await lockSubscriptionByEmail(tx, collectionId, key);
    // Deleted between the two statements, with its newsletter or by the retention job.
    if (!before)
      throw new AppError('UNAVAILABLE', 'The subscription was deleted concurrently. Try again.', {
        headers: { 'Retry-After': '1' },
      });
    const after = reactivateOnSubscribe(before, requested, { time, isConfirmed });
    if (after.status === 'PENDING_CONFIRMATION') await queueOptInMail(ctx, tx, after, newsletterName);
    return toPublicSubscription(after === before ? before : await saveSubscription(ctx, tx, before, after));
  });
}
