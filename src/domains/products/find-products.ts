/** Lists products by filters, in any order. Who asks for neither gets the plain page of list-products.ts. */
import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { findStatement, type Source } from '../../db/find-statement.ts';
import { type Sorted, type SortedSlice, sortedPage } from '../../db/sorted-page.ts';
import type { Current } from '../../db/versions.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { Page } from '../../lib/paging.ts';
import type { ProductFilter } from './find-checks.ts';
import type { Product } from './model.ts';
import { type Narrowed, narrowedTo } from './narrowing.ts';
import { knownOf, searchFor } from './search.ts';
import { sourceOf } from './sorting.ts';
import { productVersions } from './versions.ts';

type Row = Current & Sorted;

export async function findProducts(
  ctx: Context,
  asked: ProductFilter,
  whenEmpty: () => Promise<void>,
): Promise<Page<Product>> {
  const { narrowed, source } = await resultOf(ctx, asked);
  const { first: _first, after: _after, last: _last, before: _before, ...bound } = asked;
  return sortedPage<Row, Product>(ctx, {
    list: `products:${asked.businessId}?${canonicalJson(bound)}`,
    args: asked,
    async fetch(slice, limit) {
      const { text, params } = pageStatement(narrowed, source, slice, limit);
      const rows = await ctx.db.sql<Row>(text, params);
      if (rows.length === 0) await whenEmpty();
      return rows;
    },
    toNodes: (rows) =>
      productVersions(ctx.db).all(asked.businessId, permissionHolder(ctx.viewer, 'PRODUCTS_WRITE'), rows),
    async count() {
      const { text, params } = wholeResult(narrowed, source);
      const [row] = await ctx.db.sql<{ count: number }>(`select count(*)::int as count ${text}`, params);
      return row?.count ?? 0;
    },
  });
}

/** What is asked for, as the parts of statements. */
export async function resultOf(ctx: Context, asked: ProductFilter) {
  const text = asked.search ?? asked.query;
  const search = text?.trim() ? searchFor(text, await knownOf(ctx.db)) : undefined;
  const sort = asked.sort ?? 'NEWEST';
  const reader = permissionHolder(ctx.viewer, 'PRODUCTS_WRITE');
  const narrowed = narrowedTo(asked, reader, sort === 'RELEVANCE' ? undefined : search);
  // A text without any word finds nothing.
  if (text?.trim() && !search) narrowed.plain.push('false');
  return { narrowed, source: sourceOf(sort, asked, search, narrowed.params.length + 1) };
}

/** What is asked of the key itself is a part of the walk; of the rest, what is found beside the products as sets of their ids. */
function conditionsOf({ plain, beside, search }: Narrowed, source: Source) {
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
export function wholeResult(narrowed: Narrowed, source: Source) {
  const { own, sets } = conditionsOf(narrowed, source);
  return {
    text: `from ${source.from} ${source.join} where ${[...source.owned, ...own, ...sets].join(' and ')}`,
    params: [...narrowed.params, ...source.params],
  };
}

/** So many rows are looked at one by one before the database is left to find the few that are asked for. */
const [near, mid] = [300, 1500];

function pageStatement(narrowed: Narrowed, source: Source, slice: SortedSlice, limit: number) {
  const { own, sets, probes } = conditionsOf(narrowed, source);
  const { text, direction, params } = findStatement(
    {
      table: 'products p',
      owner: 'business_id',
      columns: 'p.id, p.version',
      source,
      params: narrowed.params,
      own,
      sets,
      probes,
      isNarrow: narrowed.isNarrow,
      isPlain: source.column === 'rank' || (probes.length === 1 && !narrowed.isNarrow),
      walks: narrowed.search ? [near] : [near, mid],
    },
    slice,
    limit,
  );
  const staff = holds('$1', '$2', 'PRODUCTS_WRITE');
  return {
    text: `select id, version, sort_key, ${staff} as staff from (${text}) found order by sort_key ${direction}, id ${direction}`,
    params,
  };
}
