/** SQL conditions of product list arguments. Absent arguments add no condition, so that each combination gets its own query plan. */
import { isId } from '../../../lib/ids.ts';
import { buildCategorySlugsExpressionSql } from '../../categories/read/filter-and-count-by-category-sql.ts';
import { parseNamedValues } from '../../shared/named-value-filter.ts';
import { buildProductVisibilityConditionSql } from '../read/visibility-sql.ts';
import type { ListProductsArgs, ProductFilterFields } from './schemas.ts';
import type { TextSearchSql } from './text-search.ts';

/** A condition on one of the index tables that triggers derive from products (`product_prices`, `product_stock`, ...). */
interface IndexTableCondition {
  table: string;
  column: string;
  /** SQL condition on a row of the table under its alias. */
  test(alias: string): string;
}

export interface ProductConditions {
  params: ProductListParams;
  /** SQL conditions on `products p`; the first is its visibility. */
  productConditions: string[];
  indexTables: IndexTableCondition[];
  /** `firstParam` is the number of its first SQL parameter. */
  search: { textSearch: TextSearchSql; firstParam: number } | undefined;
  /** A condition leaves few rows by itself, so that scanning in sort order gains nothing. */
  isSelective: boolean;
}

/** Up to this many attribute values are separate parameters. */
const maxInlineValues = 5;

const visibilityCondition = buildProductVisibilityConditionSql('$1', '$2');

/** Parameters of the statements of product lists. */
type ProductListParams = [businessId: string | null, reader: string | null, ...unknown[]];

/** Requested values by name of the option. */
function groupRequestedOptions({
  attributes,
  selectedOptions = [],
}: ProductFilterFields): Map<string, string[]> {
  const byName = parseNamedValues(attributes);
  for (const { name, value } of selectedOptions) byName.set(name, [...(byName.get(name) ?? []), value]);
  return byName;
}

/** `$1` is the business, `$2` the user whose permissions decide the visibility of drafts. */
export function buildProductConditions(
  args: ListProductsArgs,
  reader: string | null,
  search: TextSearchSql | undefined,
): ProductConditions {
  const params: ProductListParams = [isId(args.businessId) ? args.businessId : null, reader];
  const productConditions = [visibilityCondition];
  const indexTables: IndexTableCondition[] = [];
  const param = (value: unknown) => `$${params.push(value)}`;
  const addRange = (table: string, column: string, from?: number, to?: number, market?: string) => {
    const low = from === undefined ? undefined : param(from);
    const high = to === undefined ? undefined : param(to);
    if (!low && !high) return;
    const test = (alias: string) =>
      [
        ...(market ? [`${alias}.market = ${market}`] : []),
        ...(low ? [`${alias}.${column} >= ${low}::bigint`] : []),
        ...(high ? [`${alias}.${column} <= ${high}::bigint`] : []),
      ].join(' and ');
    indexTables.push({ table, column, test });
  };
  const { includeSubcategories = false } = args;
  // The tree is read only if the values need it: plain texts match by the index on `category` alone.
  const inCategories = (values: readonly string[]) =>
    includeSubcategories || values.some(isId)
      ? `p.category = any(${buildCategorySlugsExpressionSql('$1', param(values), includeSubcategories)})`
      : `p.category = any(${param(values)}::text[])`;
  const filter: ProductFilterFields = args.filter ?? {};
  for (const { ids, categories, status } of [args, filter]) {
    if (ids) productConditions.push(`p.id = any(${param(ids.filter(isId))}::uuid[])`);
    if (categories) productConditions.push(inCategories(categories));
    if (status) productConditions.push(`p.status = ${param(status)}`);
  }
  if (args.category !== undefined) productConditions.push(inCategories([args.category]));
  if (args.lowStock) productConditions.push(lowStockCondition);
  const stockTest = filter.inStock ? '> 0' : '= 0';
  if (filter.inStock !== undefined)
    indexTables.push({
      table: 'product_stock',
      column: 'stock',
      test: (alias) => `${alias}.stock ${stockTest}`,
    });
  if (filter.minPrice !== undefined || filter.maxPrice !== undefined)
    addRange(
      'product_prices',
      'price',
      filter.minPrice,
      filter.maxPrice,
      param(normalizeFilterMarket(filter)),
    );
  addRange('product_listings', 'created_at', filter.createdFrom, filter.createdTo);
  addRange('product_listings', 'updated_at', filter.updatedFrom, filter.updatedTo);
  for (const [name, values] of groupRequestedOptions(filter)) {
    const nameParam = param(name);
    // The planner overestimates an array parameter and then scans all prices instead of the few that match.
    const valueTest =
      values.length <= maxInlineValues
        ? `in (${values.map(param).join(', ')})`
        : `= any(${param(values)}::text[])`;
    const test = (alias: string) => `${alias}.name = ${nameParam} and ${alias}.value ${valueTest}`;
    indexTables.push({ table: 'product_attributes', column: 'value', test });
  }
  const firstParam = params.length + 1;
  params.push(...(search?.params ?? []));
  return {
    params,
    productConditions,
    indexTables,
    search: search && { textSearch: search, firstParam },
    isSelective: Boolean(args.ids || filter.ids || args.lowStock),
  };
}

/** Market codes are compared case-insensitively. */
export const normalizeFilterMarket = ({ market }: ProductFilterFields): string => market?.toLowerCase() ?? '';

const lowStockCondition = `exists (select 1 from variants l where l.business_id = $1 and l.product_id = p.id
  and l.tracked and l.low_stock_threshold is not null and l.quantity <= l.low_stock_threshold)`;
