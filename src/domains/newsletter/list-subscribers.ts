/** Lists the subscriptions of a newsletter, newest first. */
import { notFound } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { type Page, page } from '../../lib/paging.ts';
import { anyCollection } from '../collections/find-collection.ts';
import type { SubscriberFilter } from './checks.ts';
import { type Subscription, type SubscriptionRow, subscriptionColumns, toSubscription } from './model.ts';

export async function listSubscribers(ctx: Context, filter: SubscriberFilter): Promise<Page<Subscription>> {
  const collection = await anyCollection(ctx.db, filter.businessId, filter.collectionId);
  if (!collection) throw notFound('Collection');
  const params = [collection.id, filter.status ?? null];
  const where = `s.collection_id = $1 and ($2::"SubscriptionStatus" is null or s.status = $2::"SubscriptionStatus")`;
  return page({
    secret: ctx.keys.secret,
    list: `subscribers:${collection.id}`,
    args: filter,
    keyOf: (subscription) => subscription.id,
    async fetch(after, limit) {
      const below = after === undefined ? '' : ' and s.id < $4';
      const rows = await ctx.db.sql<SubscriptionRow>(
        `select ${subscriptionColumns} from subscriptions s where ${where}${below} order by s.id desc limit $3`,
        after === undefined ? [...params, limit] : [...params, limit, after],
      );
      return rows.map(toSubscription);
    },
    async count() {
      const [row] = await ctx.db.sql<{ count: number }>(
        `select count(*)::int as count from subscriptions s where ${where}`,
        params,
      );
      return row?.count ?? 0;
    },
  });
}
