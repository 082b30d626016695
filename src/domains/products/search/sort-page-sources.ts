/** Page sources of the product sort orders: the index to scan, the key and the direction. */
import { buildPageSourceByAge, type PageSource } from '../../../db/index.ts';
import { normalizeFilterMarket } from './filter-conditions.ts';
import type { ListProductsArgs, ProductSort } from './schemas.ts';
import type { TextSearchSql } from './text-search.ts';

type Column = 'NAME' | 'PRICE' | 'STOCK';

const columns: Readonly<Record<Column, { table: string; key: string; type: string }>> = {
  NAME: { table: 'product_listings', key: 'name', type: 'text' },
  PRICE: { table: 'product_prices', key: 'price', type: 'bigint' },
  STOCK: { table: 'product_stock', key: 'stock', type: 'bigint' },
};

const joinProduct = 'join products p on p.business_id = $1 and p.id = k.product_id';

/** `firstParam` is the number of its first SQL parameter. */
export function buildProductPageSource(
  sort: ProductSort,
  { filter }: ListProductsArgs,
  search: TextSearchSql | undefined,
  firstParam: number,
): PageSource {
  const descending = sort.endsWith('_DESC');
  if (sort === 'RELEVANCE' && search) return byRank(search, firstParam);
  if (sort === 'NEWEST' || sort === 'OLDEST' || sort === 'RELEVANCE') {
    const hasDateFilter = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
    return hasDateFilter
      ? byDate(sort !== 'OLDEST')
      : buildPageSourceByAge('products p', 'business_id', sort !== 'OLDEST');
  }
  const { table, key, type } = columns[sort.replace('_DESC', '') as Column];
  const byMarket = table === 'product_prices';
  const ownerConditions = ['k.business_id = $1', ...(byMarket ? [`k.market = $${firstParam}`] : [])];
  return {
    from: `${table} k`,
    join: joinProduct,
    id: 'k.product_id',
    key: `k.${key}`,
    column: key,
    type,
    conditions: ownerConditions,
    ownerConditions,
    params: byMarket ? [normalizeFilterMarket(filter ?? {})] : [],
    descending,
  };
}

/** For a filter on the creation time: this index starts the scan at the date. */
const byDate = (descending: boolean): PageSource => ({
  from: 'product_listings k',
  join: joinProduct,
  id: 'k.product_id',
  key: 'k.created_at',
  column: 'created_at',
  type: 'bigint',
  conditions: ['k.business_id = $1'],
  ownerConditions: ['k.business_id = $1'],
  params: [],
  descending,
});

/** Only the newest matches, up to this many, are ranked; the others follow by age. Bounds the cost of a word that most products contain. */
const maxRanked = 10_000;

/** The subquery sorts by itself, so that only the products of the page are joined. */
const byRank = (search: TextSearchSql, firstParam: number): PageSource => ({
  from: `(with matches as materialized (${search.matchingIdsSql(firstParam + search.rankParams.length)}),
      edge as materialized (select product_id from matches order by product_id desc offset ${maxRanked} limit 1)
    select m.product_id, coalesce(r.rank, 0) as rank from matches m left join lateral (
      select ${search.rankSql(firstParam)} as rank from product_listings l
      where l.business_id = $1 and l.product_id = m.product_id and m.product_id > all (select product_id from edge) offset 0) r on true
    order by rank desc, m.product_id desc offset 0) k`,
  join: joinProduct,
  id: 'k.product_id',
  key: 'k.rank',
  column: 'rank',
  type: 'int',
  conditions: [],
  ownerConditions: [],
  params: [...search.rankParams, ...search.params],
  descending: true,
});
