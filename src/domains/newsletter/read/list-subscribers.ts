/** Lists the subscriptions of a newsletter. */

import type { Context } from '../../../context.ts';
import { createConditionBuilder, loadFilteredPage, parsePageOrder } from '../../../db/pages/filtered-page.ts';
import { loadOwnedPage } from '../../../db/pages/owned-page.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { notFoundError } from '../../../errors.ts';
import type { Page } from '../../../lib/paging.ts';
import { findCollectionUnrestricted } from '../../collections/read/find-collection.ts';
import { registerCollectionDependent } from '../../collections/write/dependents.ts';
import { type Subscription, subscriptions, toSubscription } from '../model.ts';
import type { ListSubscribersArgs, SubscriberFilterFields } from '../schemas.ts';

registerCollectionDependent({
  name: 'subscribers',
  existsSql: (collection) => `exists (select 1 from subscriptions where collection_id = ${collection})`,
});

export async function listSubscribers(ctx: Context, asked: ListSubscribersArgs): Promise<Page<Subscription>> {
  const collection = await findCollectionUnrestricted(ctx.db, asked.businessId, asked.collectionId);
  if (!collection) throw notFoundError('Collection');
  const { filter, sort = 'NEWEST' } = asked;
  const { params, conditions } = narrowedTo(asked, collection.id);
  const rows = {
    list: `subscribers:${collection.id}`,
    args: asked,
    columns: subscriptions.columns,
    table: subscriptions.from,
    params,
    toNodes: (found: readonly TableRow[]) => found.map(toSubscription),
  };
  if (!filter && sort === 'NEWEST')
    return loadOwnedPage<TableRow, Subscription>(ctx, {
      owner: 's.collection_id',
      conditions: conditions.map(({ test }) => test),
      ...rows,
    });
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  const order = parsePageOrder(sort, keys, isDated);
  return loadFilteredPage<TableRow, Subscription>(ctx, {
    owner: 'collection_id',
    conditions,
    order,
    isSelective: false,
    ...rows,
  });
}

/** As it is compared, byte by byte: the same on every server. */
const email = 's.key collate "C"';

const keys = {
  EMAIL: { column: 'key', type: 'text', sql: email },
  UPDATED: { column: 'updated_at', type: 'bigint' },
};

function narrowedTo({ status, filter }: ListSubscribersArgs, collectionId: string) {
  const params: unknown[] = [collectionId];
  const { conditions, add, between } = createConditionBuilder('s', params);
  const asked: SubscriberFilterFields = filter ?? {};
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
