/** Lists the subscriptions of a newsletter with filters and sort orders. */
import type { Context } from '../../../context.ts';
import {
  createSqlConditionBuilder,
  definePageRecordSource,
  loadFilteredPage,
  loadOwnedPage,
  parsePageOrder,
  type UntypedRow,
} from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import type { Page } from '../../../lib/paging.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { type NewsletterSubscription, subscriptionTable, toSubscription } from '../model.ts';
import type { ListSubscribersArgs, SubscriberFilterFields } from '../schemas.ts';

export async function listSubscribers(
  ctx: Context,
  args: ListSubscribersArgs,
): Promise<Page<NewsletterSubscription>> {
  const collection = await findCollectionWithoutVisibilityCheck(ctx.db, args.businessId, args.collectionId);
  if (!collection) throw notFoundError('Collection');
  const { filter, sort = 'NEWEST' } = args;
  const { params, conditions } = subscriberConditions(args, collection.id);
  const rows = {
    list: `subscribers:${collection.id}`,
    args,
    records: subscriptionPageSource,
    params,
  };
  if (!filter && sort === 'NEWEST')
    return loadOwnedPage(ctx, {
      owner: 's.collection_id',
      conditions: conditions.map(({ test }) => test),
      ...rows,
    });
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  const order = parsePageOrder(sort, sortKeys, isDated);
  return loadFilteredPage(ctx, {
    owner: 'collection_id',
    // Only staff may list subscribers.
    visibility: null,
    conditions,
    order,
    isSelective: false,
    ...rows,
  });
}

export const subscriptionPageSource = definePageRecordSource({
  columns: subscriptionTable.columns,
  table: subscriptionTable.from,
  toNodes: (rows: readonly UntypedRow[], _params: readonly unknown[]) => rows.map(toSubscription),
});

/** Collation "C" compares byte by byte, independent of the locale of the database server. */
const emailKey = 's.key collate "C"';

const sortKeys = {
  EMAIL: { column: 'key', type: 'text', sql: emailKey },
  UPDATED: { column: 'updated_at', type: 'bigint' },
};

function subscriberConditions({ status, filter }: ListSubscribersArgs, collectionId: string) {
  const params: unknown[] = [collectionId];
  const { conditions, add, between } = createSqlConditionBuilder('s', params);
  const fields: SubscriberFilterFields = filter ?? {};
  add(status, (param) => `s.status = ${param}::"SubscriptionStatus"`);
  if (fields.statuses?.length)
    add(fields.statuses, (param) => `s.status = any(${param}::text[]::"SubscriptionStatus"[])`);
  add(fields.planId, (param) => `s.plan_id = ${param}`);
  if (fields.email !== undefined) {
    const prefix = fields.email.toLowerCase();
    const [from, to] = [params.push(prefix), params.push(`${prefix}\u{10ffff}`)];
    conditions.push({ column: 'key', test: `${emailKey} >= $${from} and ${emailKey} < $${to}` });
  }
  between('created_at', fields.createdFrom, fields.createdTo);
  between('updated_at', fields.updatedFrom, fields.updatedTo);
  return { params, conditions };
}
