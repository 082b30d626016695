/** What a list of products is narrowed to, as SQL. Only what is asked for becomes part of it, so that each combination has its own plan. */
import { isId } from '../../../lib/ids.ts';
import { parseNamedValues } from '../../shared/named-value-filter.ts';
import { isProductVisible } from '../read/visibility.ts';
import type { ProductFilterFields, ProductListArgs } from './schemas.ts';
import type { TextSearch } from './text-search.ts';

/** A condition that a table beside the products answers. */
export interface IndexTableCondition {
  table: string;
  column: string;
  /** SQL over a row of the table under its alias. */
  test(alias: string): string;
}

export interface ProductConditions {
  params: unknown[];
  /** SQL over the product `p` alone, who sees it first of all. */
  plain: string[];
  indexTables: IndexTableCondition[];
  /** What is searched for; `first` is the place of its parameters. */
  search: { by: TextSearch; first: number } | undefined;
  /** Some of it leaves few rows by itself: then there is nothing to gain by walking down the list. */
  isNarrow: boolean;
}

const fewValues = 5;

const isSeen = isProductVisible('$1', '$2');

/** `$1` is the business and `$2` whose permissions are looked up. */
export function buildProductConditions(
  asked: ProductListArgs,
  reader: string | null,
  search: TextSearch | undefined,
): ProductConditions {
  const params: unknown[] = [isId(asked.businessId) ? asked.businessId : null, reader];
  const plain = [isSeen];
  const beside: IndexTableCondition[] = [];
  const param = (value: unknown) => `$${params.push(value)}`;
  const between = (table: string, column: string, from?: number, to?: number, market?: string) => {
    const low = from === undefined ? undefined : param(from);
    const high = to === undefined ? undefined : param(to);
    if (!low && !high) return;
    const test = (alias: string) =>
      [
        ...(market ? [`${alias}.market = ${market}`] : []),
        ...(low ? [`${alias}.${column} >= ${low}::bigint`] : []),
        ...(high ? [`${alias}.${column} <= ${high}::bigint`] : []),
      ].join(' and ');
    beside.push({ table, column, test });
  };
  const filter: ProductFilterFields = asked.filter ?? {};
  for (const { ids, categories, status } of [asked, filter]) {
    if (ids) plain.push(`p.id = any(${param(ids.filter(isId))}::uuid[])`);
    if (categories) plain.push(`p.category = any(${param(categories)}::text[])`);
    if (status) plain.push(`p.status = ${param(status)}`);
  }
  if (asked.category !== undefined) plain.push(`p.category = ${param(asked.category)}`);
  if (asked.lowStock) plain.push(isLow);
  const left = filter.inStock ? '> 0' : '= 0';
  if (filter.inStock !== undefined)
    beside.push({ table: 'product_stock', column: 'stock', test: (alias) => `${alias}.stock ${left}` });
  if (filter.minPrice !== undefined || filter.maxPrice !== undefined)
    between('product_prices', 'price', filter.minPrice, filter.maxPrice, param(filterMarketKey(filter)));
  between('product_listings', 'created_at', filter.createdFrom, filter.createdTo);
  between('product_listings', 'updated_at', filter.updatedFrom, filter.updatedTo);
  for (const [name, values] of parseNamedValues(filter.attributes)) {
    const named = param(name);
    // Of a list in one parameter the planner thinks that it is long, and reads all prices rather than the few that are meant.
    const among =
      values.length <= fewValues ? `in (${values.map(param).join(', ')})` : `= any(${param(values)}::text[])`;
    const test = (alias: string) => `${alias}.name = ${named} and ${alias}.value ${among}`;
    beside.push({ table: 'product_attributes', column: 'value', test });
  }
  const first = params.length + 1;
  params.push(...(search?.params ?? []));
  return {
    params,
    plain,
    indexTables: beside,
    search: search && { by: search, first },
    isNarrow: Boolean(asked.ids || filter.ids || asked.lowStock),
  };
}

/** Markets are known by their code, compared without case. */
export const filterMarketKey = ({ market }: ProductFilterFields): string => market?.toLowerCase() ?? '';

const isLow = `exists (select 1 from variants l where l.business_id = $1 and l.product_id = p.id
  and l.tracked and l.low_stock_threshold is not null and l.quantity <= l.low_stock_threshold)`;
