/** Facets of a whole product list result, not only its page: counts by category, attribute, price range and stock, in one statement. */
import type { Context } from '../../../context.ts';
import { buildCategoryCountsSql } from '../../categories/read/filter-and-count-by-category-sql.ts';
import { normalizeFilterMarket } from './filter-conditions.ts';
import type { ListProductsArgs } from './schemas.ts';
import { buildProductQuery, buildUnpagedFromClause } from './search-products.ts';

export interface FacetCount {
  value: string;
  count: number;
}

/** A market whose currency is loaded. */
export interface PricedMarket {
  businessId: string;
  market: string;
}

export interface PriceFacet extends PricedMarket {
  min: number;
  max: number;
  ranges: PriceRange[];
}

export interface PriceRange extends PricedMarket {
  min: number;
  max: number;
  count: number;
}

export interface ProductFacets {
  categories: FacetCount[];
  /** Counts of category records, each with those of its sub-categories. */
  categoryTree: { id: string; count: number }[];
  attributes: { name: string; values: FacetCount[] }[];
  prices: PriceFacet[];
  inStock: number;
  outOfStock: number;
}

/** Maximum number of values per facet; those with the most products come first. */
const maxValues = 200;
/** Maximum number of price ranges of a market. */
const maxPriceRanges = 5;

export async function loadProductFacets(ctx: Context, args: ListProductsArgs): Promise<ProductFacets> {
  const { conditions, source } = await buildProductQuery(ctx, args);
  const { text, params } = buildUnpagedFromClause(conditions, source);
  const market = args.filter?.market === undefined ? null : normalizeFilterMarket(args.filter);
  const [row] = await ctx.db.sql<FacetRow>(facetStatement(text, `$${params.length + 1}::text`), [
    ...params,
    market,
  ]);
  if (!row) throw new Error('The facet statement returned no row.');
  const { categories, tree, attributes, prices, in_stock, out_of_stock } = row;
  return {
    categories: categories.map(toCount),
    categoryTree: tree.map(([id, count]) => ({ id, count })),
    attributes: groupByName(attributes).map(([name, values]) => ({ name, values: values.map(toCount) })),
    prices: prices.map((price) => toPrices(args.businessId, price)),
    inStock: in_stock,
    outOfStock: out_of_stock,
  };
}

interface FacetRow {
  categories: [value: string, count: number][];
  tree: [id: string, count: number][];
  attributes: [name: string, value: string, count: number][];
  prices: [
    market: string,
    min: number,
    max: number,
    step: number,
    counts: [range: number, count: number][],
  ][];
  in_stock: number;
  out_of_stock: number;
}

/** Width of the price ranges of a market: 1, 2 or 5 times a power of ten. Fewer than the maximum of ranges begin between the prices. */
const stepColumn = `(select case when raw <= unit then unit when raw <= 2 * unit then 2 * unit when raw <= 5 * unit then 5 * unit else 10 * unit end
  from (select raw, power(10::numeric, floor(log(raw))) as unit
    from (select greatest(1, (most - least) / ${maxPriceRanges - 1}.0) as raw) r) u)::bigint`;

/** The price ranges of a market begin at multiples of its step. */
const facetStatement = (result: string, market: string) => `
  with result as materialized (select p.id, p.business_id, p.category ${result}),
  counted as materialized (select category, count(*)::int as count from result group by category),
  priced as materialized (
    select x.market, x.price, min(x.price) over m as least, max(x.price) over m as most
    from product_prices x join result r on r.business_id = x.business_id and r.id = x.product_id where ${market} is null or x.market = ${market}
    window m as (partition by x.market)),
  stepped as (select market, least, most, ${stepColumn} as step from (select distinct market, least, most from priced) m),
  ranged as (
    select market, s.least, s.most, step, price / step as range, count(*)::int as count
    from priced join stepped s using (market) group by 1, 2, 3, 4, 5)
  select
    (select coalesce(json_agg(json_build_array(c.category, c.count)), '[]') from (
      select category, count from counted order by count desc, category limit ${maxValues}) c) as categories,
    (select coalesce(json_agg(json_build_array(t.id, t.count)), '[]') from (
      select id, count from (${buildCategoryCountsSql('$1::uuid', 'counted')}) placed order by count desc, id limit ${maxValues}) t) as tree,
    (select coalesce(json_agg(json_build_array(a.name, a.value, a.count)), '[]') from (
      select x.name, x.value, count(*)::int as count from product_attributes x join result r on r.business_id = x.business_id and r.id = x.product_id
      group by x.name, x.value order by count desc, x.name, x.value limit ${maxValues}) a) as attributes,
    (select coalesce(json_agg(json_build_array(g.market, g.least, g.most, g.step, g.counts) order by g.market), '[]') from (
      select market, least, most, step, json_agg(json_build_array(range, count) order by range) as counts from ranged group by 1, 2, 3, 4) g) as prices,
    (select count(*)::int from result r join product_stock x on x.business_id = r.business_id and x.product_id = r.id where x.stock > 0) as in_stock,
    (select count(*)::int from result r join product_stock x on x.business_id = r.business_id and x.product_id = r.id where x.stock = 0) as out_of_stock`;

const toCount = (columns: readonly (string | number)[]): FacetCount => {
  const [value, count] = columns.slice(-2) as [string, number];
  return { value, count };
};

function groupByName(attributes: FacetRow['attributes']): [string, FacetRow['attributes']][] {
  const names = [...new Set(attributes.map(([name]) => name))].sort();
  return names.map((name) => [name, attributes.filter(([attributeName]) => attributeName === name)]);
}

/** The first and the last range end at the lowest and the highest price. */
function toPrices(
  businessId: string,
  [market, min, max, step, counts]: FacetRow['prices'][number],
): PriceFacet {
  const ranges = counts.map(([range, count]) => ({
    businessId,
    market,
    min: Math.max(min, range * step),
    max: Math.min(max, (range + 1) * step - 1),
    count,
  }));
  return { businessId, market, min, max, ranges };
}
