/** Puts an email on a newsletter's list: at once when the plan is free, after the payment when it is not. */
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { newId } from '../../lib/ids.ts';
import { parse } from '../../lib/input.ts';
import { once } from '../../lib/once.ts';
import { now } from '../../lib/time.ts';
import { findCollection } from '../collections/find-collection.ts';
import { type Collection, isNewsletter, type Plan } from '../collections/model.ts';
import { checkoutUrl } from './checkout.ts';
import { type Subscribe, subscribeCheck } from './checks.ts';
import { type Subscription, type SubscriptionRow, subscriptionColumns, toSubscription } from './model.ts';

export type Subscribed =
  | { subscription: Subscription; checkoutUrl?: undefined }
  | { subscription?: undefined; checkoutUrl: string };

export async function subscribe(ctx: Context, args: object): Promise<Subscribed> {
  const { businessId, collectionId, input } = parse(ctx, subscribeCheck, args);
  const collection = await findCollection(ctx, { businessId, id: collectionId });
  if (!collection) throw notFound('Collection');
  if (!isNewsletter(collection)) throw notANewsletter();
  const plan = planOf(collection, input.planId);
  const subscription = await once(ctx, 'subscribe', args, (queries) =>
    join(queries, collection, plan, input),
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

/** One per list and email, whatever happens at the same time: an active one stays as it is. */
const joinStatement = `
  insert into subscriptions as s (id, business_id, collection_id, email, key, name, plan_id, market, status, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, case when $9 then 'ACTIVE' else 'PENDING' end::"SubscriptionStatus", $10, $10)
  on conflict (collection_id, key) do update set
    status = case
      when s.status = 'ACTIVE' or $9 then 'ACTIVE'
      when s.status = 'UNSUBSCRIBED' and s.payment_id is not null and s.plan_id = excluded.plan_id then 'ACTIVE'
      else 'PENDING' end::"SubscriptionStatus",
    plan_id = case when s.status = 'ACTIVE' then s.plan_id else excluded.plan_id end,
    payment_id = case when s.status <> 'ACTIVE' and s.plan_id is distinct from excluded.plan_id then null else s.payment_id end,
    name = case when s.status = 'ACTIVE' or excluded.name = '' then s.name else excluded.name end,
    market = case when s.status = 'ACTIVE' then s.market else coalesce(excluded.market, s.market) end,
    updated_at = case when s.status = 'ACTIVE' then s.updated_at else excluded.updated_at end
  returning ${subscriptionColumns}`;

async function join(
  queries: Queries,
  collection: Collection,
  plan: Plan | undefined,
  { email, name, market }: Subscribe['input'],
): Promise<Subscription> {
  const isFree = !plan || plan.price.amount === 0;
  const [row] = await queries.sql<SubscriptionRow>(joinStatement, [
    newId(),
    collection.businessId,
    collection.id,
    email,
    email.toLowerCase(),
    name ?? '',
    plan?.id ?? null,
    market ?? null,
    isFree,
    now(),
  ]);
  return toSubscription(row as SubscriptionRow);
}
