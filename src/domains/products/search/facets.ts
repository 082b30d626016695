/** What the whole result of a list holds, beyond its page: counts by category, attribute, price and stock, in one statement. */
import type { Context } from '../../../context.ts';
import { filterMarketKey } from './filter-conditions.ts';
import type { ProductListArgs } from './schemas.ts';
import { buildProductQuery, unpagedFromClause } from './search-products.ts';

export interface FacetCount {
  value: string;
  count: number;
}

export interface PriceFacet {
  market: string;
  min: number;
  max: number;
  ranges: { min: number; max: number; count: number }[];
}

export interface ProductFacets {
  categories: FacetCount[];
  attributes: { name: string; values: FacetCount[] }[];
  prices: PriceFacet[];
  inStock: number;
  outOfStock: number;
}

/** So many values of a kind are told, those with most products first. */
const maxValues = 200;
const priceRanges = 5;

export async function loadProductFacets(ctx: Context, asked: ProductListArgs): Promise<ProductFacets> {
  const { narrowed, source } = await buildProductQuery(ctx, asked);
  const { text, params } = unpagedFromClause(narrowed, source);
  const market = asked.filter?.market === undefined ? null : filterMarketKey(asked.filter);
  const [row] = await ctx.db.sql<Told>(statement(text, `$${params.length + 1}::text`), [...params, market]);
  if (!row) throw new Error('There are facets of nothing, too.');
  const { categories, attributes, prices, in_stock, out_of_stock } = row;
  return {
    categories: categories.map(toCount),
    attributes: grouped(attributes).map(([name, values]) => ({ name, values: values.map(toCount) })),
    prices: prices.map(toPrices),
    inStock: in_stock,
    outOfStock: out_of_stock,
  };
}

interface Told {
  categories: [value: string, count: number][];
  attributes: [name: string, value: string, count: number][];
  prices: [market: string, min: number, max: number, counts: [range: number, count: number][]][];
  in_stock: number;
  out_of_stock: number;
}

/** Prices that are all the same have one range; others are cut into equal parts. */
const statement = (result: string, market: string) => `
  with result as materialized (select p.id, p.business_id, p.category ${result}),
  priced as materialized (
    select x.market, x.price, min(x.price) over m as least, max(x.price) over m as most
    from product_prices x join result r on r.business_id = x.business_id and r.id = x.product_id where ${market} is null or x.market = ${market}
    window m as (partition by x.market)),
  ranged as (
    select market, least, most, case when least = most then 1 else width_bucket(price, least, most + 1, ${priceRanges}) end as range,
      count(*)::int as count from priced group by 1, 2, 3, 4)
  select
    (select coalesce(json_agg(json_build_array(c.category, c.count)), '[]') from (
      select category, count(*)::int as count from result group by category order by count desc, category limit ${maxValues}) c) as categories,
    (select coalesce(json_agg(json_build_array(a.name, a.value, a.count)), '[]') from (
      select x.name, x.value, count(*)::int as count from product_attributes x join result r on r.business_id = x.business_id and r.id = x.product_id
      group by x.name, x.value order by count desc, x.name, x.value limit ${maxValues}) a) as attributes,
    (select coalesce(json_agg(json_build_array(g.market, g.least, g.most, g.counts) order by g.market), '[]') from (
      select market, least, most, json_agg(json_build_array(range, count) order by range) as counts from ranged group by 1, 2, 3) g) as prices,
    (select count(*)::int from result r join product_stock x on x.business_id = r.business_id and x.product_id = r.id where x.stock > 0) as in_stock,
    (select count(*)::int from result r join product_stock x on x.business_id = r.business_id and x.product_id = r.id where x.stock = 0) as out_of_stock`;

const toCount = (told: readonly (string | number)[]): FacetCount => {
  const [value, count] = told.slice(-2) as [string, number];
  return { value, count };
};

function grouped(attributes: Told['attributes']): [string, Told['attributes']][] {
  const names = [...new Set(attributes.map(([name]) => name))].sort();
  return names.map((name) => [name, attributes.filter(([of]) => of === name)]);
}

/** The ranges as width_bucket cuts them: each begins where the one before has ended. */
function toPrices([market, min, max, counts]: Told['prices'][number]): PriceFacet {
  const width = (max + 1 - min) / priceRanges;
  const start = (range: number) => Math.ceil(min + width * (range - 1));
  const ranges = counts.map(([range, count]) =>
    min === max ? { min, max, count } : { min: start(range), max: start(range + 1) - 1, count },
  );
  return { market, min, max, ranges };
}
