/** Puts an email on a newsletter's list: at once when the plan is free, after the payment when it is not. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { invalid, notFound } from '../../errors.ts';
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
  const subscription = await once(ctx, 'subscribe', sent, (queries) =>
    join(ctx, queries, collection, plan, input),
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

const insertStatement = `${subscriptions.insert} on conflict (collection_id, key) do nothing returning ${subscriptions.columns}`;

/** One per list and email, whatever happens at the same time. */
async function join(
  ctx: Context,
  queries: Queries,
  { id: collectionId, businessId }: Collection,
  plan: Plan | undefined,
  { email, name = '', market }: Subscribe['input'],
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
    status: isFree ? 'ACTIVE' : 'PENDING',
    createdAt: time,
    updatedAt: time,
  };
  const [created] = await changeAndAnnounce<Row>(ctx, queries, {
    statement: insertStatement,
    params: subscriptions.insertParams(joining),
    businessId,
    events: subscriptionEvents(undefined, joining),
  });
  if (created) return toSubscription(created);
  return queries.transaction(async (tx) => {
    const before = await lockSubscriber(tx, collectionId, key);
    // Subscriptions go only with their newsletter.
    if (!before) throw notFound('Collection');
    const after = rejoined(before, joining, time);
    return shown(after === before ? before : await saveSubscription(ctx, tx, before, after));
  });
}
