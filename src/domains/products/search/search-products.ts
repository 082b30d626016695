/** Lists products by filters, in any order. Who asks for neither gets the plain page of list-products.ts. */
import { hasPermissionSql, permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import { buildPageQuery, type PageSource } from '../../../db/pages/page-query.ts';
import { loadSortedPage, type SortedRow, type SortedSlice } from '../../../db/pages/sorted-page.ts';
import type { CurrentVersion } from '../../../db/records/record-cache.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Page } from '../../../lib/paging.ts';
import type { Product } from '../model.ts';
import { productCache } from '../read/product-cache.ts';
import { buildProductConditions, type ProductConditions } from './filter-conditions.ts';
import type { ProductListArgs } from './schemas.ts';
import { buildSortSource } from './sort-orders.ts';
import { buildTextSearch, loadSearchSupport } from './text-search.ts';

type Row = CurrentVersion & SortedRow;

export async function searchProducts(
  ctx: Context,
  asked: ProductListArgs,
  whenEmpty: () => Promise<void>,
): Promise<Page<Product>> {
  const { narrowed, source } = await buildProductQuery(ctx, asked);
  const { first: _first, after: _after, last: _last, before: _before, ...bound } = asked;
  return loadSortedPage<Row, Product>(ctx, {
    list: `products:${asked.businessId}?${canonicalJson(bound)}`,
    args: asked,
    async fetch(slice, limit) {
      const { text, params } = pageStatement(narrowed, source, slice, limit);
      const rows = await ctx.db.sql<Row>(text, params);
      if (rows.length === 0) await whenEmpty();
      return rows;
    },
    toNodes: (rows) =>
      productCache(ctx.db).loadPageRecords(
        asked.businessId,
        permissionUserId(ctx.viewer, 'PRODUCTS_WRITE'),
        rows,
      ),
    async count() {
      const { text, params } = unpagedFromClause(narrowed, source);
      const [row] = await ctx.db.sql<{ count: number }>(`select count(*)::int as count ${text}`, params);
      return row?.count ?? 0;
    },
  });
}

/** What is asked for, as the parts of statements. */
export async function buildProductQuery(ctx: Context, asked: ProductListArgs) {
  const text = asked.search ?? asked.query;
  const search = text?.trim() ? buildTextSearch(text, await loadSearchSupport(ctx.db)) : undefined;
  const sort = asked.sort ?? 'NEWEST';
  const reader = permissionUserId(ctx.viewer, 'PRODUCTS_WRITE');
  const narrowed = buildProductConditions(asked, reader, sort === 'RELEVANCE' ? undefined : search);
  // A text without any word finds nothing.
  if (text?.trim() && !search) narrowed.plain.push('false');
  return { narrowed, source: buildSortSource(sort, asked, search, narrowed.params.length + 1) };
}

/** What is asked of the key itself is a part of the walk; of the rest, what is found beside the products as sets of their ids. */
function conditionsOf({ plain, indexTables: beside, search }: ProductConditions, source: PageSource) {
  const own = beside.filter(({ column }) => column === source.column);
  const others = beside.filter(({ column }) => column !== source.column);
  return {
    own: own.map(({ test }) => test('k')),
    sets: [
      ...plain,
      ...others.map(
        ({ table, test }) =>
          `p.id in (select x.product_id from ${table} x where x.business_id = $1 and ${test('x')})`,
      ),
      ...(search ? [`p.id in (${search.by.matching(search.first)})`] : []),
    ],
    probes: [
      ...others.map(
        ({ table, test }) =>
          `(select true from ${table} x where x.business_id = $1 and x.product_id = k.id and ${test('x')} limit 1)`,
      ),
      ...(search ? [search.by.probe(search.first)] : []),
      ...plain,
    ],
  };
}

/** The products of all pages together, from `from` on. */
export function unpagedFromClause(narrowed: ProductConditions, source: PageSource) {
  const { own, sets } = conditionsOf(narrowed, source);
  return {
    text: `from ${source.from} ${source.join} where ${[...source.ownerConditions, ...own, ...sets].join(' and ')}`,
    params: [...narrowed.params, ...source.params],
  };
}

/** So many rows are looked at one by one before the database is left to find the few that are asked for. */
const [near, mid] = [300, 1500];

function pageStatement(narrowed: ProductConditions, source: PageSource, slice: SortedSlice, limit: number) {
  const { own, sets, probes } = conditionsOf(narrowed, source);
  const { text, direction, params } = buildPageQuery(
    {
      table: 'products p',
      owner: 'business_id',
      columns: 'p.id, p.version',
      source,
      params: narrowed.params,
      keyConditions: own,
      setConditions: sets,
      probeConditions: probes,
      isSelective: narrowed.isNarrow,
      isUnfiltered: source.column === 'rank' || (probes.length === 1 && !narrowed.isNarrow),
      scanSizes: narrowed.search ? [near] : [near, mid],
    },
    slice,
    limit,
  );
  const staff = hasPermissionSql('$1', '$2', 'PRODUCTS_WRITE');
  return {
    text: `select id, version, sort_key, ${staff} as staff from (${text}) found order by sort_key ${direction}, id ${direction}`,
    params,
  };
}
