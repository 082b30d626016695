/** The orders in which products are listed: which index to walk, and which way. */
import type { ProductFilter, ProductSort } from './find-checks.ts';
import { marketKey } from './narrowing.ts';
import type { Search } from './search.ts';

/** Where the rows of a list come from, in SQL. */
export interface Source {
  /** What is walked. */
  from: string;
  /** What brings the product `p` to it. */
  join: string;
  id: string;
  key: string;
  /** The column that is the key, where a filter may ask for a part of it. */
  column: string;
  /** The type of the key, for what a cursor brings. */
  type: string;
  conditions: string[];
  /** Where the order is not walked, the owner by itself: of a range the planner thinks that it is small. */
  owned: string[];
  /** What a page that is the first begins at, where the conditions do not say. */
  start: string[];
  params: unknown[];
  descending: boolean;
}

type Column = 'NAME' | 'PRICE' | 'STOCK';

const columns: Readonly<Record<Column, { table: string; key: string; type: string }>> = {
  NAME: { table: 'product_listings', key: 'name', type: 'text' },
  PRICE: { table: 'product_prices', key: 'price', type: 'bigint' },
  STOCK: { table: 'product_stock', key: 'stock', type: 'bigint' },
};

const productOf = 'join products p on p.business_id = $1 and p.id = k.product_id';

/** `first`: the place of its parameters in the statement. */
export function sourceOf(
  sort: ProductSort,
  { filter }: ProductFilter,
  search: Search | undefined,
  first: number,
): Source {
  const descending = sort.endsWith('_DESC');
  if (sort === 'RELEVANCE' && search) return byRank(search, first);
  if (sort === 'NEWEST' || sort === 'OLDEST' || sort === 'RELEVANCE') {
    const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
    return (isDated ? byDate : byAge)(sort !== 'OLDEST');
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
    owned,
    start: [],
    params: byMarket ? [marketKey(filter ?? {})] : [],
    descending,
  };
}

/** The owner leads the order, so that only an index which begins with the owner will do (see db/owned-page.ts). */
const byAge = (descending: boolean): Source => ({
  from: 'products p',
  join: '',
  id: 'p.id',
  key: 'p.business_id',
  column: 'id',
  type: 'uuid',
  conditions: [`p.business_id ${descending ? '>=' : '<='} $1`],
  owned: ['p.business_id = $1'],
  start: [`p.business_id ${descending ? '<=' : '>='} $1`],
  params: [],
  descending,
});

/** For a part of the time: its index leads there. */
const byDate = (descending: boolean): Source => ({
  from: 'product_listings k',
  join: productOf,
  id: 'k.product_id',
  key: 'k.created_at',
  column: 'created_at',
  type: 'bigint',
  conditions: ['k.business_id = $1'],
  owned: ['k.business_id = $1'],
  start: [],
  params: [],
  descending,
});

const byRank = (search: Search, first: number): Source => ({
  from: `(select l.product_id, ${search.rank(first)} as rank from product_listings l
    where l.product_id in (${search.matching(first + search.rankParams.length)})) k`,
  join: productOf,
  id: 'k.product_id',
  key: 'k.rank',
  column: 'rank',
  type: 'int',
  conditions: [],
  owned: [],
  start: [],
  params: [...search.rankParams, ...search.params],
  descending: true,
});
