/** Lists the subscriptions of a newsletter, newest first. */

import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import type { Row } from '../../db/table.ts';
import { notFound } from '../../errors.ts';
import type { Page } from '../../lib/paging.ts';
import { dependOnCollections } from '../collections/dependents.ts';
import { anyCollection } from '../collections/find-collection.ts';
import type { SubscriberFilter } from './checks.ts';
import { type Subscription, subscriptions, toSubscription } from './model.ts';

dependOnCollections({
  name: 'subscribers',
  existIn: (collection) => `exists (select 1 from subscriptions where collection_id = ${collection})`,
});

export async function listSubscribers(ctx: Context, filter: SubscriberFilter): Promise<Page<Subscription>> {
  const collection = await anyCollection(ctx.db, filter.businessId, filter.collectionId);
  if (!collection) throw notFound('Collection');
  return ownedPage<Row, Subscription>(ctx, {
    list: `subscribers:${collection.id}`,
    args: filter,
    columns: subscriptions.columns,
    table: subscriptions.from,
    owner: 's.collection_id',
    params: filter.status ? [collection.id, filter.status] : [collection.id],
    conditions: filter.status ? ['s.status = $2::"SubscriptionStatus"'] : [],
    toNodes: (rows) => rows.map(toSubscription),
  });
}
