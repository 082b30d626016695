/** Lists products by filters, in any order. Who asks for neither gets the plain page of list-products.ts. */
import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { type Position, type Sorted, sortedPage } from '../../db/sorted-page.ts';
import { knowsTrigrams } from '../../db/trigrams.ts';
import type { Current } from '../../db/versions.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { maxPageSize, type Page } from '../../lib/paging.ts';
import type { ProductFilter } from './find-checks.ts';
import type { Product } from './model.ts';
import { type Narrowed, narrowedTo } from './narrowing.ts';
import { searchFor } from './search.ts';
import { type Source, sourceOf } from './sorting.ts';
import { productVersions } from './versions.ts';

type Row = Current & Sorted;

export async function findProducts(
  ctx: Context,
  asked: ProductFilter,
  whenEmpty: () => Promise<void>,
): Promise<Page<Product>> {
  const { narrowed, source } = await resultOf(ctx, asked);
  const { first: _first, after: _after, ...bound } = asked;
  return sortedPage<Row, Product>(ctx, {
    list: `products:${asked.businessId}?${canonicalJson(bound)}`,
    args: asked,
    async fetch(after, limit) {
      const [statement, params] = pageStatement(narrowed, source, after, limit);
      const rows = await ctx.db.sql<Row>(statement, params);
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
  const search = text?.trim() ? searchFor(text, await knowsTrigrams(ctx.db)) : undefined;
  const sort = asked.sort ?? 'NEWEST';
  const reader = permissionHolder(ctx.viewer, 'PRODUCTS_WRITE');
  const narrowed = narrowedTo(asked, reader, sort === 'RELEVANCE' ? undefined : search);
  narrowed.isNarrow ||= sort === 'RELEVANCE' && search !== undefined;
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
          `(select true from ${table} x where x.product_id = k.id and ${test('x')} limit 1)`,
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

function pageStatement(
  narrowed: Narrowed,
  source: Source,
  after: Position | undefined,
  limit: number,
): [string, unknown[]] {
  const { from, join, id, key, type, descending } = source;
  const values = [...narrowed.params, ...source.params, limit, ...(after ?? [])];
  const place = narrowed.params.length + source.params.length + 1;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const beyondCursor = after
    ? [`(${key}, ${id}) ${beyond} ($${place + 1}::${type}, $${place + 2}::uuid)`]
    : [];
  const start = after ? beyondCursor : source.start;
  const { own, sets, probes } = conditionsOf(narrowed, source);
  const range = [...source.conditions, ...own, ...start];
  const where = (conditions: readonly string[]) =>
    conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const order = `order by ${key} ${direction}, ${id} ${direction}`;
  // The fixed limit tells the planner how little is wanted: of a parameter it thinks much more.
  const most = `order by key ${direction}, id ${direction} limit ${maxPageSize + 1}) page limit $${place}`;
  const shown = `select id, version, key, ${holds('$1', '$2', 'PRODUCTS_WRITE')} as staff from`;
  const columns = `p.id, p.version, ${key} as key`;
  if (probes.length === 1 && !narrowed.isNarrow)
    return [
      `${shown} (select ${columns} from ${from} ${join} ${where([...range, ...sets])} ${order} limit ${maxPageSize + 1}) page limit $${place}`,
      values,
    ];

  // All that fit, then their order: nothing is gained here by looking for them in order.
  const far = (unless: readonly string[]) =>
    `select * from (select * from (select ${columns} from ${from} ${join} ${where([...source.owned, ...own, ...beyondCursor, ...sets, ...unless])} offset 0) fitting ${most}`;
  if (narrowed.isNarrow)
    return [`${shown} (${far([])}) found order by key ${direction}, id ${direction}`, values];

  const walk = (steps: number, unless: readonly string[]) =>
    `select * from (select p.id, p.version, k.key
      from (select ${id} as id, ${key} as key from ${from} ${where([...range, ...unless])} ${order} limit ${steps}) k
      join products p on p.id = k.id ${where(probes)} ${most}`;
  const lacks = (name: string) => `(select count(*) from ${name}) < $${place}`;
  // Where many fit, the first rows of a walk are the page; where few do, the indexes of the filters find them.
  const walks = narrowed.search ? [near] : [near, mid];
  const parts = walks.map((steps, index) => ({
    name: `walk${index}`,
    text: walk(steps, index === 0 ? [] : [lacks(`walk${index - 1}`)]),
  }));
  return [
    `with ${parts.map(({ name, text }) => `${name} as materialized (${text})`).join(', ')},
      far as (${far(parts.map(({ name }) => lacks(name)))})
     ${shown} (
       ${parts.map(({ name }) => `select * from ${name} where not ${lacks(name)} union all `).join('')} select * from far) found
     order by key ${direction}, id ${direction}`,
    values,
  ];
}
