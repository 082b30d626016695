/** Lists the subscriptions of a newsletter. */

import type { Context } from '../../context.ts';
import { filteredPage, gatherConditions, orderOf } from '../../db/filtered-page.ts';
import { ownedPage } from '../../db/owned-page.ts';
import type { Row } from '../../db/table.ts';
import { notFound } from '../../errors.ts';
import type { Page } from '../../lib/paging.ts';
import { dependOnCollections } from '../collections/dependents.ts';
import { anyCollection } from '../collections/find-collection.ts';
import type { SubscriberFilter, SubscriberNarrowing } from './checks.ts';
import { type Subscription, subscriptions, toSubscription } from './model.ts';

dependOnCollections({
  name: 'subscribers',
  existIn: (collection) => `exists (select 1 from subscriptions where collection_id = ${collection})`,
});

export async function listSubscribers(ctx: Context, asked: SubscriberFilter): Promise<Page<Subscription>> {
  const collection = await anyCollection(ctx.db, asked.businessId, asked.collectionId);
  if (!collection) throw notFound('Collection');
  const { filter, sort = 'NEWEST' } = asked;
  const { params, conditions } = narrowedTo(asked, collection.id);
  const rows = {
    list: `subscribers:${collection.id}`,
    args: asked,
    columns: subscriptions.columns,
    table: subscriptions.from,
    params,
    toNodes: (found: readonly Row[]) => found.map(toSubscription),
  };
  if (!filter && sort === 'NEWEST')
    return ownedPage<Row, Subscription>(ctx, {
      owner: 's.collection_id',
      conditions: conditions.map(({ test }) => test),
      ...rows,
    });
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  const order = orderOf(sort, keys, isDated);
  return filteredPage<Row, Subscription>(ctx, {
    owner: 'collection_id',
    conditions,
    order,
    isNarrow: false,
    ...rows,
  });
}

/** As it is compared, byte by byte: the same on every server. */
const email = 's.key collate "C"';

const keys = {
  EMAIL: { column: 'key', type: 'text', sql: email },
  UPDATED: { column: 'updated_at', type: 'bigint' },
};

function narrowedTo({ status, filter }: SubscriberFilter, collectionId: string) {
  const params: unknown[] = [collectionId];
  const { conditions, add, between } = gatherConditions('s', params);
  const asked: SubscriberNarrowing = filter ?? {};
  add(status, (param) => `s.status = ${param}::"SubscriptionStatus"`);
  if (asked.statuses?.length)
    add(asked.statuses, (param) => `s.status = any(${param}::text[]::"SubscriptionStatus"[])`);
  add(asked.planId, (param) => `s.plan_id = ${param}`);
  if (asked.email !== undefined) {
    const begun = asked.email.toLowerCase();
    const [from, to] = [params.push(begun), params.push(`${begun}\u{10ffff}`)];
    conditions.push({ column: 'key', test: `${email} >= $${from} and ${email} < $${to}` });
  }
  between('created_at', asked.createdFrom, asked.createdTo);
  between('updated_at', asked.updatedFrom, asked.updatedTo);
  return { params, conditions };
}
