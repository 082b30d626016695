/** Lists categories in tree order: every category is followed by its sub-categories, siblings by position. */
import { assertBusinessExists } from '../../../auth/assert-business-exists.ts';
import type { Context } from '../../../context.ts';
import {
  buildPageQuery,
  type CurrentRecordVersion,
  loadSortedPage,
  type PageSource,
  type SortedRow,
  selectContentReadDb,
} from '../../../db/index.ts';
import { isId, nilUuid } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { type Category, maxCategoryDepth } from '../model.ts';
import type { ListCategoriesArgs } from '../schemas.ts';
import { categoryCache } from './category-cache.ts';

type Row = CurrentRecordVersion & SortedRow;

export async function listCategories(ctx: Context, args: ListCategoriesArgs): Promise<Page<Category>> {
  const { businessId, parentId, topLevel } = args;
  const db = selectContentReadDb(ctx.db);
  const business = isId(businessId) ? businessId : nilUuid;
  const reader = ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE');
  const parent = parentId === undefined ? [] : [parentId];
  return loadSortedPage<Row, Category>(ctx, {
    list: `categories:${businessId}?${parentId ?? ''}&${topLevel ?? ''}`,
    args,
    async fetch(slice, limit) {
      const query = {
        ...{ table: 'categories cat', owner: 'business_id', columns: categoryCache.columns },
        ...{ keyConditions: [], setConditions: [], probeConditions: [], scanSizes: [] },
        ...{ isSelective: false, isUnfiltered: true },
        source: sourceOf(filtersOf(args, '$3')),
        params: [business, reader, ...parent],
      };
      const { text, direction, params } = buildPageQuery(query, slice, limit);
      const rows = await db.sql<Row>(
        `select * from (${text}) found order by sort_key ${direction}, id ${direction}`,
        params,
      );
      if (rows.length === 0) await assertBusinessExists(ctx, businessId);
      return rows;
    },
    toNodes: (rows) => categoryCache(db).loadPageRecords(business, reader, rows),
    async count() {
      const where = ['true', ...filtersOf(args, '$2')].join(' and ');
      const [row] = await db.sql<{ count: number }>(
        `select count(*)::int as count from ${treeSql} where ${where}`,
        [business, ...parent],
      );
      return row?.count ?? 0;
    },
  });
}

/** Sort key of one level: position, then id. Ids ascend with time, so that equal positions sort by age. */
const keySql = `lpad(to_hex(c.position), 8, '0') || c.id::text`;

/** All categories of the business `$1` with their sort key. A business has a bounded number of them. */
const treeSql = `(with recursive tree as (
    select c.id, c.parent_id, 1 as level, ${keySql} as path from categories c
    where c.business_id = $1::uuid and c.parent_id is null
    union all
    select c.id, c.parent_id, t.level + 1, t.path || '/' || ${keySql} from tree t
    join categories c on c.business_id = $1::uuid and c.parent_id = t.id where t.level < ${maxCategoryDepth})
  select id, parent_id, path collate "C" as path from tree) k`;

const sourceOf = (conditions: readonly string[]): PageSource => ({
  from: treeSql,
  join: 'join categories cat on cat.business_id = $1::uuid and cat.id = k.id',
  id: 'k.id',
  key: 'k.path',
  column: 'path',
  type: 'text collate "C"',
  conditions,
  ownerConditions: conditions,
  params: [],
  descending: false,
});

const filtersOf = ({ parentId, topLevel }: ListCategoriesArgs, parent: string): string[] => [
  ...(parentId === undefined
    ? []
    : [
        `k.parent_id = (select c.id from categories c where c.business_id = $1::uuid and (c.slug = ${parent} or c.id::text = ${parent}))`,
      ]),
  ...(topLevel === undefined ? [] : [`k.parent_id is ${topLevel ? '' : 'not '}null`]),
];
