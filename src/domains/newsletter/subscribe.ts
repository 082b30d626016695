/** Puts an email on a newsletter's list: at once when the plan is free, after the payment when it is not. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { findCollection } from '../collections/find-collection.ts';
import { type Collection, isNewsletter, type Plan } from '../collections/model.ts';
import { announce, changeAndAnnounce } from '../webhooks/announce.ts';
import { checkoutUrl } from './checkout.ts';
import type { Subscribe } from './checks.ts';
import { subscriptionEvents } from './events.ts';
import {
  type Subscription,
  type SubscriptionRow,
  type SubscriptionStatus,
  subscriptionColumns,
  toSubscription,
} from './model.ts';

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
function planOf({ plans }: Collection, planId: string | undefined): Plan | undefined {
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

const insertStatement = `
  insert into subscriptions as s (id, business_id, collection_id, email, key, name, plan_id, market, status, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::"SubscriptionStatus", $10, $10)
  on conflict (collection_id, key) do nothing
  returning ${subscriptionColumns}`;

/** `$1` the collection, `$2` the key, `$3` name, `$4` plan, `$5` market, `$6` whether it is free, `$7` now. An active one stays as it is. */
const rejoinStatement = `
  update subscriptions s set
    status = case
      when before.status = 'ACTIVE' or $6 then 'ACTIVE'
      when before.status = 'UNSUBSCRIBED' and before.payment_id is not null and before.plan_id = $4 then 'ACTIVE'
      else 'PENDING' end::"SubscriptionStatus",
    plan_id = case when before.status = 'ACTIVE' then before.plan_id else $4 end,
    payment_id = case when before.status <> 'ACTIVE' and before.plan_id is distinct from $4 then null else before.payment_id end,
    name = case when before.status = 'ACTIVE' or $3 = '' then before.name else $3 end,
    market = case when before.status = 'ACTIVE' then before.market else coalesce($5, before.market) end,
    updated_at = case when before.status = 'ACTIVE' then before.updated_at else $7 end
  from (select * from subscriptions where collection_id = $1 and key = $2 for update) before
  where s.id = before.id
  returning ${subscriptionColumns}, before.status as previous`;

/** One per list and email, whatever happens at the same time. */
async function join(
  ctx: Context,
  queries: Queries,
  collection: Collection,
  plan: Plan | undefined,
  { email, name = '', market }: Subscribe['input'],
): Promise<Subscription> {
  const { id: collectionId, businessId } = collection;
  const isFree = !plan || plan.price.amount === 0;
  const [id, key, planId, time] = [newId(), email.toLowerCase(), plan?.id ?? null, now()];
  const status = isFree ? 'ACTIVE' : 'PENDING';
  const facts = {
    id,
    business_id: businessId,
    collection_id: collectionId,
    plan_id: planId,
    status,
  } as const;
  const [created] = await changeAndAnnounce<SubscriptionRow>(ctx, queries, {
    statement: insertStatement,
    params: [id, businessId, collectionId, email, key, name, planId, market ?? null, status, time],
    businessId,
    events: subscriptionEvents(undefined, facts),
  });
  if (created) return toSubscription(created);
  return queries.transaction(async (tx) => {
    const [row] = await tx.sql<SubscriptionRow & { previous: SubscriptionStatus }>(rejoinStatement, [
      collectionId,
      key,
      name,
      planId,
      market ?? null,
      isFree,
      time,
    ]);
    // Subscriptions go only with their newsletter.
    if (!row) throw notFound('Collection');
    await announce(
      ctx,
      tx,
      businessId,
      subscriptionEvents(row.previous, { ...row, business_id: businessId }),
    );
    return toSubscription(row);
  });
}
