/** Subscribes an email address to a newsletter: ACTIVE immediately on a free plan, after payment on a paid one, after confirmation with double opt-in. */
import type { Context } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { AppError, notFoundError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { hmacSha256Hex } from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { type Collection, isNewsletter, type NewsletterPlan } from '../../collections/model.ts';
import { findCollection } from '../../collections/read/find-collection.ts';
import { createQuotaCheckedInsert } from '../../shared/storage-and-record-quotas.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { findOrCreatePlanCheckout } from '../billing/find-or-create-plan-checkout.ts';
import { buildSubscriptionEvents } from '../build-events.ts';
import {
  queueResubscribeMail,
  queueSubscriptionConfirmationMail,
} from '../mail/confirmation-and-resubscribe-mails.ts';
import {
  hasSubscriptionEnded,
  type NewsletterSubscription,
  type StoredNewsletterSubscription,
  subscriptionTable,
  toPublicSubscription,
  toSubscription,
} from '../model.ts';
import type { SubscribeArgs } from '../schemas.ts';
import {
  findSubscriptionByEmailKey,
  lockSubscriptionByEmailKey,
} from '../subscriptions/find-and-lock-subscriptions.ts';
import { saveSubscription } from '../subscriptions/save-subscription.ts';
import {
  checkEmailAddressProof,
  type EmailAddressProof,
  tryConsumeFormerSubscriberMailLimits,
} from './check-email-address-proof.ts';
import { reactivateOnSubscribe, setRequestedPlan } from './reactivation-rules.ts';

export type SubscriptionOrCheckoutUrl =
  | { subscription: NewsletterSubscription; checkoutUrl?: undefined }
  | { subscription?: undefined; checkoutUrl: string };

/** `request` is the unparsed input; its hash guards the idempotency key. */
export async function subscribeToNewsletter(
  ctx: Context,
  { businessId, collectionId, input }: SubscribeArgs,
  request: object,
  { isImported = false } = {},
): Promise<SubscriptionOrCheckoutUrl> {
  const collection = await findCollection(ctx, { businessId, id: collectionId });
  if (!collection) throw notFoundError('Collection');
  if (!isNewsletter(collection)) throw notANewsletterError();
  const plan = requireNewsletterPlan(collection, input.planId);
  const proof = await checkEmailAddressProof(ctx, collection, input.email, { isImported });
  const subscriber = { plan, input, proof };
  const subscription = await runIdempotent(ctx, 'subscribe', request, (queries) =>
    proof.isConfirmed
      ? insertOrReactivate(ctx, queries, collection, subscriber)
      : queries.transaction((tx) => insertOrReactivate(ctx, tx, collection, subscriber)),
  );
  const isPayable =
    subscription.status === 'PENDING' ||
    (!proof.isOwner && hasSubscriptionEnded(subscription) && !isFree(plan));
  if (!isPayable || !plan) return { subscription };
  const stored = await findSubscriptionByEmailKey(ctx.db, collection.id, input.email.toLowerCase());
  const payable = { ...subscription, id: stored?.id ?? subscription.id };
  const isUniform = !proof.canReadSubscription;
  return findOrCreatePlanCheckout(ctx, { subscription: payable, collection, plan, input, isUniform });
}

const isFree = (plan: NewsletterPlan | undefined): boolean => !plan || plan.price.amount === 0;

export const notANewsletterError = (field = 'collectionId') =>
  validationError(field, 'NOT_A_NEWSLETTER', 'The collection is not a newsletter.');

/** Undefined for a newsletter without plans, which is free. Throws when plans exist and `planId` is none of them. */
export function requireNewsletterPlan(
  { plans }: Collection,
  planId: string | undefined,
): NewsletterPlan | undefined {
  if (planId === undefined && plans.length === 0) return undefined;
  const plan = plans.find(({ id }) => id === planId);
  if (!plan) {
    throw validationError(
      'planId',
      planId === undefined ? 'REQUIRED' : 'PLAN_NOT_FOUND',
      `Choose one of the plans: ${plans.map(({ id }) => id).join(', ')}.`.slice(0, 500),
    );
  }
  return plan;
}

interface NewSubscriber {
  plan: NewsletterPlan | undefined;
  input: SubscribeArgs['input'];
  proof: EmailAddressProof;
}

const insertStatement = `${subscriptionTable.insert} on conflict (collection_id, key) do nothing returning ${subscriptionTable.columns}`;

/**
 * The unique key (collection_id, key) leaves one subscription per newsletter and email address, also under concurrency. A caller without
 * proof of the address gets `requested`, whose id is the stored one only if this caller created it: ids contain the time of creation.
 */
async function insertOrReactivate(
  ctx: Context,
  queries: QueryHandle,
  { id: collectionId, businessId, name: newsletterName, doubleOptIn }: Collection,
  { plan, input: { email, name = '', market }, proof }: NewSubscriber,
): Promise<NewsletterSubscription> {
  const { isConfirmed } = proof;
  const [key, planId, time] = [email.toLowerCase(), plan?.id, now()];
  const requested: StoredNewsletterSubscription = {
    id: newId(),
    businessId,
    collectionId,
    email,
    key,
    name,
    planId,
    market,
    status: isFree(plan) ? (isConfirmed ? 'ACTIVE' : 'PENDING_CONFIRMATION') : 'PENDING',
    creatorHash: hashCreator(ctx, collectionId, key),
    createdAt: time,
    updatedAt: time,
  };
  const insert = (on: QueryHandle) =>
    runStatementAndEmitWebhookEvents<UntypedRow>(ctx, on, {
      statement: insertStatement,
      params: subscriptionTable.insertParams(requested),
      businessId,
      events: buildSubscriptionEvents(undefined, requested),
    });
  const [created] = await createQuotaCheckedInsert(ctx, 'subscriptions', businessId, insert)(queries);
  if (created) {
    if (requested.status === 'PENDING_CONFIRMATION')
      await queueSubscriptionConfirmationMail(ctx, queries, requested, newsletterName);
    return toSubscription(created);
  }
  return queries.transaction(async (tx) => {
    const before = await lockSubscriptionByEmailKey(tx, collectionId, key);
    // Deleted between the two statements, with its newsletter or by the retention job.
    if (!before)
      throw new AppError('UNAVAILABLE', 'The subscription was deleted concurrently. Try again.', {
        headers: { 'Retry-After': '1' },
      });
    const after = changeExisting(before, requested, { plan, proof });
    if (after.status === 'PENDING_CONFIRMATION')
      await queueSubscriptionConfirmationMail(ctx, tx, after, newsletterName);
    if (
      hasSubscriptionEnded(after) &&
      (doubleOptIn || (await tryConsumeFormerSubscriberMailLimits(ctx, key)))
    )
      await queueResubscribeMail(ctx, tx, after, newsletterName);
    const saved = after === before ? before : await saveSubscription(ctx, tx, before, after);
    if (proof.canReadSubscription) return toPublicSubscription(saved);
    const isCreator = before.creatorHash !== undefined && before.creatorHash === requested.creatorHash;
    const { id, createdAt } = isCreator ? before : requested;
    return toPublicSubscription({ ...requested, id, createdAt });
  });
}

/** Identifies the caller by a MAC, which says nothing about them after the erasure of their account. */
const hashCreator = ({ viewer, keys }: Context, collectionId: string, key: string): string | undefined =>
  viewer.user && hmacSha256Hex(keys.secret, 'subscription-creator', viewer.user.userId, collectionId, key);

/** Only the owner of the address returns to an ended subscription. Anyone may pay for a plan, but not replace a plan that was paid. */
function changeExisting(
  before: StoredNewsletterSubscription,
  requested: StoredNewsletterSubscription,
  { plan, proof }: Pick<NewSubscriber, 'plan' | 'proof'>,
): StoredNewsletterSubscription {
  if (!proof.isOwner && hasSubscriptionEnded(before)) return setRequestedPlan(before, requested.planId);
  const isUnpaid = before.paymentId === undefined && before.planId !== requested.planId;
  if (!proof.canReadSubscription && before.status === 'ACTIVE' && !isFree(plan) && isUnpaid)
    return setRequestedPlan(before, requested.planId);
  return reactivateOnSubscribe(before, requested, {
    time: requested.createdAt,
    isConfirmed: proof.isConfirmed,
  });
}
