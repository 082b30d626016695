/** Product lists: the unfiltered page of a business, and dispatch to search-products.ts for a filter, a sort order or a search. */
import { assertBusinessExists } from '../../../auth/assert-business-exists.ts';
import type { Context } from '../../../context.ts';
import {
  createSiblingPageLoader,
  defineCachedPageRecordSource,
  defineCachedSiblingPageRecordSource,
  loadOwnedPage,
  selectContentReadDb,
} from '../../../db/index.ts';
import { missingPermissionError } from '../../../errors.ts';
import { HiddenProperty } from '../../../lib/cache/hidden-property.ts';
import { isId } from '../../../lib/ids.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import type { Product } from '../model.ts';
import { buildProductConditions } from '../search/filter-conditions.ts';
import { type ListProductsArgs, listProductsSchema } from '../search/schemas.ts';
import { searchProducts } from '../search/search-products.ts';
import { productCache } from './product-cache.ts';
import { buildProductVisibilityConditionSql } from './visibility-sql.ts';

export async function listProducts(ctx: Context, args: ListProductsArgs): Promise<Page<Product>> {
  if (args.lowStock && !(await ctx.viewer.hasPermission('PRODUCTS_WRITE', args.businessId)))
    throw missingPermissionError('PRODUCTS_WRITE');
  const page = await loadPage(ctx, args);
  listArgs.set(page, args);
  return page;
}

/** The arguments of a page. Facets and highlights describe the whole result and need them. */
const listArgs = new HiddenProperty<Page<Product>, ListProductsArgs>();

export function listProductsArgsOfPage(page: Page<Product>): ListProductsArgs {
  const args = listArgs.get(page);
  if (!args) throw new Error('The page was not created by listProducts or listBusinessProducts.');
  return args;
}

/** SQL of the list without any filter. */
const unfilteredStatements = new Map<string, string>();

function loadPage(ctx: Context, args: ListProductsArgs): Promise<Page<Product>> {
  const { businessId, sort = 'NEWEST', first, after, last, before, ...conditions } = args;
  const whenEmpty = () => assertBusinessExists(ctx, businessId);
  const { filter, search, query } = conditions;
  if (filter || sort !== 'NEWEST' || search || query) return searchProducts(ctx, args, whenEmpty);
  const unfiltered = unfilteredPage(ctx, isId(businessId) ? businessId : null);
  const isFiltered = Object.values(conditions).some((value) => value !== undefined);
  return loadOwnedPage(
    { db: selectContentReadDb(ctx.db), keys: ctx.keys },
    {
      ...(isFiltered ? filteredPage(args, unfiltered.params[1]) : unfiltered),
      list: `products:${businessId}`,
      args: { first, after, last, before },
      records: productRecords,
      owner: 'p.business_id',
      whenEmpty,
    },
  );
}

const unfilteredPage = (ctx: Context, businessId: string | null) => ({
  params: [businessId, ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE')] as const,
  conditions: visibilityConditions,
  statementCache: unfilteredStatements,
});

const visibilityConditions = [buildProductVisibilityConditionSql('$1', '$2')];

function filteredPage(args: ListProductsArgs, reader: string | null) {
  const { params, productConditions } = buildProductConditions(args, reader, undefined);
  return { params, conditions: productConditions, isSelective: productConditions.length > 1 };
}

/** Parameters: business, reader, and those of the filter. */
const productRecords = defineCachedPageRecordSource(productCache);

/** Parameters: business and reader. */
const siblingProductRecords = defineCachedSiblingPageRecordSource(productCache);

/** Page of products under a Business; the pages of all businesses in one response are loaded by one query. */
export async function listBusinessProducts(
  ctx: Context,
  businessId: string,
  args: PageArgs,
): Promise<Page<Product>> {
  const page = await loadSiblingPages(ctx, businessId, args);
  listArgs.set(page, { ...defaultListArgs, businessId });
  return page;
}

/** Arguments without filter, search and sort order. */
const defaultListArgs = listProductsSchema.parse({ businessId: '' });

const loadSiblingPages = createSiblingPageLoader(siblingProductRecords, (ctx: Context, businessId) => ({
  list: `products:${businessId}`,
  owner: 'p.business_id',
  ...unfilteredPage(ctx, businessId),
}));
