/** Product lists: the unfiltered page of a business, and dispatch to search-products.ts for a filter, a sort order or a search. */

import { assertBusinessExists } from '../../../auth/assert-business-exists.ts';
import type { Context } from '../../../context.ts';
import {
  createSiblingPageLoader,
  defineCachedPageRecords,
  defineCachedSiblingPageRecords,
  loadOwnedPage,
  selectContentReadDb,
} from '../../../db/index.ts';
import { forbiddenError } from '../../../errors.ts';
import { HiddenProperty } from '../../../lib/cache/hidden-property.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import type { Product } from '../model.ts';
import { buildProductConditions } from '../search/filter-conditions.ts';
import { type ProductListArgs, productListSchema } from '../search/schemas.ts';
import { searchProducts } from '../search/search-products.ts';
import { productCache } from './product-cache.ts';
import { buildProductVisibilitySql } from './visibility.ts';

export async function listProducts(ctx: Context, args: ProductListArgs): Promise<Page<Product>> {
  if (args.lowStock && !(await ctx.viewer.hasPermission('PRODUCTS_WRITE', args.businessId)))
    throw forbiddenError();
  const page = await loadPage(ctx, args);
  listArgs.set(page, args);
  return page;
}

/** The arguments of a page. Facets and highlights describe the whole result and need them. */
const listArgs = new HiddenProperty<Page<Product>, ProductListArgs>();

export function requireProductListArgs(page: Page<Product>): ProductListArgs {
  const args = listArgs.get(page);
  if (!args) throw new Error('The page was not created by listProducts or listBusinessProducts.');
  return args;
}

/** SQL of the list without any filter. */
const unfilteredStatements = new Map<string, string>();

function loadPage(ctx: Context, args: ProductListArgs): Promise<Page<Product>> {
  const whenEmpty = () => assertBusinessExists(ctx, args.businessId);
  const { filter, sort = 'NEWEST', search, query } = args;
  if (filter || sort !== 'NEWEST' || search || query) return searchProducts(ctx, args, whenEmpty);
  const reader = ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE');
  const { params, productConditions } = buildProductConditions(args, reader, undefined);
  return loadOwnedPage(
    { db: selectContentReadDb(ctx.db), keys: ctx.keys },
    {
      params,
      conditions: productConditions,
      ...(productConditions.length > 1 ? { isSelective: true } : { statementCache: unfilteredStatements }),
      list: `products:${args.businessId}`,
      args,
      records: productRecords,
      owner: 'p.business_id',
      whenEmpty,
    },
  );
}

/** Parameters: business, reader, and those of the filter. */
const productRecords = defineCachedPageRecords(productCache);

/** Parameters: business and reader. */
const siblingProductRecords = defineCachedSiblingPageRecords(productCache);

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
const defaultListArgs = productListSchema.parse({ businessId: '' });

const loadSiblingPages = createSiblingPageLoader(siblingProductRecords, (ctx: Context, businessId) => ({
  list: `products:${businessId}`,
  owner: 'p.business_id',
  params: [businessId, ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE')] as const,
  conditions: [buildProductVisibilitySql('$1', '$2')],
}));
