/** Puts an email on a newsletter's list: at once when the plan is free, after the payment when it is not, after a confirmation where that is asked for. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { AppError, invalid, notFound } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { findCollection } from '../collections/find-collection.ts';
import { type Collection, isNewsletter, type Plan } from '../collections/model.ts';
import { changeAndAnnounce } from '../webhooks/announce.ts';
import { checkoutUrl } from './checkout.ts';
import type { Subscribe } from './checks.ts';
import { subscriptionEvents } from './events.ts';
import { type StoredSubscription, type Subscription, shown, subscriptions, toSubscription } from './model.ts';
import { isProvenFor } from './opt-in.ts';
import { queueOptInMail } from './opt-in-mail.ts';
import { rejoined } from './rejoin.ts';
import { lockSubscriber, saveSubscription } from './store.ts';

export type Subscribed =
  | { subscription: Subscription; checkoutUrl?: undefined }
  | { subscription?: undefined; checkoutUrl: string };

/** `sent` is the request as it came: repeated with the same key, it gets the same answer. */
export async function subscribe(
  ctx: Context,
  { businessId, collectionId, input }: Subscribe,
  sent: object,
): Promise<Subscribed> {
  const collection = await findCollection(ctx, { businessId, id: collectionId });
  if (!collection) throw notFound('Collection');
  if (!isNewsletter(collection)) throw notANewsletter();
  const plan = planOf(collection, input.planId);
  const isProven = await isProvenFor(ctx, collection, input.email);
  const asked = { plan, input, isProven };
  const subscription = await once(ctx, 'subscribe', sent, (queries) =>
    isProven
      ? join(ctx, queries, collection, asked)
      : queries.transaction((tx) => join(ctx, tx, collection, asked)),
  );
  if (subscription.status !== 'PENDING' || !plan) return { subscription };
  return { checkoutUrl: await checkoutUrl(ctx, { subscription, collection, plan, input }) };
}

export const notANewsletter = (field = 'collectionId') =>
  invalid({ field, error: 'NOT_A_NEWSLETTER', message: 'The collection is not a newsletter.' });

/** A newsletter without plans has one that needs no name: free. */
export function planOf({ plans }: Collection, planId: string | undefined): Plan | undefined {
  if (planId === undefined && plans.length === 0) return undefined;
  const plan = plans.find(({ id }) => id === planId);
  if (!plan) {
    throw invalid({
      field: 'planId',
      error: planId === undefined ? 'REQUIRED' : 'PLAN_NOT_FOUND',
      message: `Choose one of the plans: ${plans.map(({ id }) => id).join(', ')}.`.slice(0, 500),
    });
  }
  return plan;
}

interface Joining {
  plan: Plan | undefined;
  input: Subscribe['input'];
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
  const [created] = await changeAndAnnounce<Row>(ctx, queries, {
    statement: insertStatement,
    params: subscriptions.insertParams(joining),
    businessId,
    events: subscriptionEvents(undefined, joining),
  });
  if (created) {
    if (joining.status === 'PENDING_CONFIRMATION') await queueOptInMail(ctx, queries, joining, letter);
    return toSubscription(created);
  }
  return queries.transaction(async (tx) => {
    const before = await lockSubscriber(tx, collectionId, key);
    // It went this very moment, with its newsletter or because nobody had confirmed it.
    if (!before) throw new AppError('UNAVAILABLE', 'Try again.', { headers: { 'Retry-After': '1' } });
    const after = rejoined(before, joining, { time, isProven });
    if (after.status === 'PENDING_CONFIRMATION') await queueOptInMail(ctx, tx, after, letter);
    return shown(after === before ? before : await saveSubscription(ctx, tx, before, after));
  });
}
