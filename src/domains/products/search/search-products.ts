/** Product list with a filter, a sort order or a search text. list-products.ts serves lists without these. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import type { Context } from '../../../context.ts';
import {
  buildPageQuery,
  type CurrentRecordVersion,
  loadSortedPage,
  type PageSource,
  type SortedRange,
  type SortedRow,
} from '../../../db/index.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import type { Page } from '../../../lib/paging.ts';
import type { Product } from '../model.ts';
import { productCache } from '../read/product-cache.ts';
import { buildProductConditions, type ProductConditions } from './filter-conditions.ts';
import type { ListProductsArgs } from './schemas.ts';
import { buildProductPageSource } from './sort-page-sources.ts';
import { buildTextSearchSql, loadSearchSupport } from './text-search.ts';

type Row = CurrentRecordVersion & SortedRow;

export async function searchProducts(
  ctx: Context,
  args: ListProductsArgs,
  whenEmpty: () => Promise<void>,
): Promise<Page<Product>> {
  const { conditions, source } = await buildProductQuery(ctx, args);
  const { first: _first, after: _after, last: _last, before: _before, ...listIdentity } = args;
  return loadSortedPage<Row, Product>(ctx, {
    list: `products:${args.businessId}?${canonicalJson(listIdentity)}`,
    args,
    async fetch(slice, limit) {
      const { text, params } = buildPageStatement(conditions, source, slice, limit);
      const rows = await ctx.db.sql<Row>(text, params);
      if (rows.length === 0) await whenEmpty();
      return rows;
    },
    toNodes: (rows) =>
      productCache(ctx.db).loadPageRecords(
        args.businessId,
        ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE'),
        rows,
      ),
    async count() {
      const { text, params } = buildUnpagedFromClause(conditions, source);
      const [row] = await ctx.db.sql<{ count: number }>(`select count(*)::int as count ${text}`, params);
      return row?.count ?? 0;
    },
  });
}

/** Conditions and sort source of the arguments. */
export async function buildProductQuery(ctx: Context, args: ListProductsArgs) {
  const text = args.search ?? args.query;
  const search = text?.trim() ? buildTextSearchSql(text, await loadSearchSupport(ctx.db)) : undefined;
  const sort = args.sort ?? 'NEWEST';
  const reader = ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE');
  const conditions = buildProductConditions(args, reader, sort === 'RELEVANCE' ? undefined : search);
  // A search text without any word matches no product.
  if (text?.trim() && !search) conditions.productConditions.push('false');
  return { conditions, source: buildProductPageSource(sort, args, search, conditions.params.length + 1) };
}

/**
 * Splits the conditions for the page query: those on the sort key bound the index scan (`keyConditions`); the others exist twice,
 * as sets of product ids (`setConditions`) and as a probe of one scanned row `k` (`probeConditions`).
 */
function splitConditions({ productConditions, indexTables, search }: ProductConditions, source: PageSource) {
  const onSortKey = indexTables.filter(({ column }) => column === source.column);
  const onOtherTables = indexTables.filter(({ column }) => column !== source.column);
  return {
    keyConditions: onSortKey.map(({ test }) => test('k')),
    setConditions: [
      ...productConditions,
      ...onOtherTables.map(
        ({ table, test }) =>
          `p.id in (select x.product_id from ${table} x where x.business_id = $1 and ${test('x')})`,
      ),
      ...(search ? [`p.id in (${search.textSearch.matchingIdsSql(search.firstParam)})`] : []),
    ],
    probeConditions: [
      ...onOtherTables.map(
        ({ table, test }) =>
          `(select true from ${table} x where x.business_id = $1 and x.product_id = k.id and ${test('x')} limit 1)`,
      ),
      ...(search ? [search.textSearch.probeSql(search.firstParam)] : []),
      ...productConditions,
    ],
  };
}

/** SQL from `from` on for the products of all pages, with its parameters. */
export function buildUnpagedFromClause(conditions: ProductConditions, source: PageSource) {
  const { keyConditions, setConditions } = splitConditions(conditions, source);
  return {
    text: `from ${source.from} ${source.join} where ${[...source.ownerConditions, ...keyConditions, ...setConditions].join(' and ')}`,
    params: [...conditions.params, ...source.params],
  };
}

/** Numbers of rows that are scanned in sort order and probed one by one before the query falls back to the indexes of the filters. */
const [firstScan, secondScan] = [300, 1500];

function buildPageStatement(
  conditions: ProductConditions,
  source: PageSource,
  slice: SortedRange,
  limit: number,
) {
  const { keyConditions, setConditions, probeConditions } = splitConditions(conditions, source);
  const { text, direction, params } = buildPageQuery(
    {
      table: 'products p',
      owner: 'business_id',
      columns: 'p.id, p.version',
      source,
      params: conditions.params,
      keyConditions,
      setConditions,
      probeConditions,
      isSelective: conditions.isSelective,
      isUnfiltered: source.column === 'rank' || (probeConditions.length === 1 && !conditions.isSelective),
      scanSizes: conditions.search ? [firstScan] : [firstScan, secondScan],
    },
    slice,
    limit,
  );
  const isStaff = buildPermissionConditionSql('$1', '$2', 'PRODUCTS_WRITE');
  return {
    text: `select id, version, sort_key, ${isStaff} as staff from (${text}) found order by sort_key ${direction}, id ${direction}`,
    params,
  };
}
