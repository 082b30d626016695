/** The orders in which products are listed: which index to walk, and which way. */
import { type PageSource, pageSourceByAge } from '../../../db/pages/page-query.ts';
import { filterMarketKey } from './filter-conditions.ts';
import type { ProductListArgs, ProductSort } from './schemas.ts';
import type { TextSearch } from './text-search.ts';

type Column = 'NAME' | 'PRICE' | 'STOCK';

const columns: Readonly<Record<Column, { table: string; key: string; type: string }>> = {
  NAME: { table: 'product_listings', key: 'name', type: 'text' },
  PRICE: { table: 'product_prices', key: 'price', type: 'bigint' },
  STOCK: { table: 'product_stock', key: 'stock', type: 'bigint' },
};

const productOf = 'join products p on p.business_id = $1 and p.id = k.product_id';

/** `first`: the place of its parameters in the statement. */
export function buildSortSource(
  sort: ProductSort,
  { filter }: ProductListArgs,
  search: TextSearch | undefined,
  first: number,
): PageSource {
  const descending = sort.endsWith('_DESC');
  if (sort === 'RELEVANCE' && search) return byRank(search, first);
  if (sort === 'NEWEST' || sort === 'OLDEST' || sort === 'RELEVANCE') {
    const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
    return isDated
      ? byDate(sort !== 'OLDEST')
      : pageSourceByAge('products p', 'business_id', sort !== 'OLDEST');
  }
  const { table, key, type } = columns[sort.replace('_DESC', '') as Column];
  const byMarket = table === 'product_prices';
  const owned = ['k.business_id = $1', ...(byMarket ? [`k.market = $${first}`] : [])];
  return {
    from: `${table} k`,
    join: productOf,
    id: 'k.product_id',
    key: `k.${key}`,
    column: key,
    type,
    conditions: owned,
    ownerConditions: owned,
    params: byMarket ? [filterMarketKey(filter ?? {})] : [],
    descending,
  };
}

/** For a part of the time: its index leads there. */
const byDate = (descending: boolean): PageSource => ({
  from: 'product_listings k',
  join: productOf,
  id: 'k.product_id',
  key: 'k.created_at',
  column: 'created_at',
  type: 'bigint',
  conditions: ['k.business_id = $1'],
  ownerConditions: ['k.business_id = $1'],
  params: [],
  descending,
});

/** Of a word that is everywhere only so many, the newest, are ranked: the others follow them by age. */
const maxRanked = 10_000;

/** In order by itself, so that only the records of the page have to be looked at. */
const byRank = (search: TextSearch, first: number): PageSource => ({
  from: `(with matches as materialized (${search.matching(first + search.rankParams.length)}),
      edge as materialized (select product_id from matches order by product_id desc offset ${maxRanked} limit 1)
    select m.product_id, coalesce(r.rank, 0) as rank from matches m left join lateral (
      select ${search.rank(first)} as rank from product_listings l
      where l.business_id = $1 and l.product_id = m.product_id and m.product_id > all (select product_id from edge) offset 0) r on true
    order by rank desc, m.product_id desc offset 0) k`,
  join: productOf,
  id: 'k.product_id',
  key: 'k.rank',
  column: 'rank',
  type: 'int',
  conditions: [],
  ownerConditions: [],
  params: [...search.rankParams, ...search.params],
  descending: true,
});
