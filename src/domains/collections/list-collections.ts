/** Lists the collections a viewer may see, newest first. */
import type { Context } from '../../graphql/context.ts';
import { isId } from '../../lib/ids.ts';
import { type Page, page } from '../../lib/paging.ts';
import { draftReader } from '../shared/visibility.ts';
import type { CollectionFilter } from './checks.ts';
import { type Collection, type CollectionRow, collectionColumns, toCollection } from './model.ts';
import { isVisible } from './visibility.ts';

export async function listCollections(ctx: Context, filter: CollectionFilter): Promise<Page<Collection>> {
  const params: unknown[] = [isId(filter.businessId) ? filter.businessId : null, draftReader(ctx.viewer)];
  const conditions = ['c.business_id = $1', isVisible('$1', '$2')];
  const add = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  if (filter.ids) add(filter.ids.filter(isId), (param) => `c.id = any(${param}::uuid[])`);
  if (filter.type) add(filter.type, (param) => `c.type = ${param}`);
  if (filter.status) add(filter.status, (param) => `c.status = ${param}`);
  const where = conditions.join(' and ');
  const next = params.length + 1;
  return page({
    secret: ctx.keys.secret,
    list: `collections:${filter.businessId}`,
    args: filter,
    keyOf: (collection) => collection.id,
    async fetch(after, limit) {
      const below = after === undefined ? '' : ` and c.id < $${next + 1}`;
      const rows = await ctx.db.sql<CollectionRow>(
        `select ${collectionColumns} from collections c where ${where}${below} order by c.id desc limit $${next}`,
        after === undefined ? [...params, limit] : [...params, limit, after],
      );
      return rows.map(toCollection);
    },
    async count() {
      const [row] = await ctx.db.sql<{ count: number }>(
        `select count(*)::int as count from collections c where ${where}`,
        params,
      );
      return row?.count ?? 0;
    },
  });
}
