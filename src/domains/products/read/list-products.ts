/** Lists and searches the products a viewer may see. */

import { assertBusinessExists } from '../../../auth/assert-business.ts';
import { permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import { contentReadDb } from '../../../db/handles.ts';
import { loadOwnedPage } from '../../../db/pages/owned-page.ts';
import { createSiblingPageLoader } from '../../../db/pages/sibling-pages.ts';
import type { CurrentVersion } from '../../../db/records/record-cache.ts';
import { forbiddenError } from '../../../errors.ts';
import { HiddenProperty } from '../../../lib/cache/hidden-property.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import { type Product, products } from '../model.ts';
import { buildProductConditions } from '../search/filter-conditions.ts';
import { type ProductListArgs, productListSchema } from '../search/schemas.ts';
import { searchProducts } from '../search/search-products.ts';
import { productCache } from './product-cache.ts';
import { isProductVisible } from './visibility.ts';

export async function listProducts(ctx: Context, asked: ProductListArgs): Promise<Page<Product>> {
  if (asked.lowStock && !(await ctx.viewer.hasPermission('PRODUCTS_WRITE', asked.businessId)))
    throw forbiddenError();
  const page = await pageOf(ctx, asked);
  askedFor.set(page, asked);
  return page;
}

/** What a page was asked for, for what is said about the whole of it. */
const askedFor = new HiddenProperty<Page<Product>, ProductListArgs>();

export function requireProductListArgs(page: Page<Product>): ProductListArgs {
  const asked = askedFor.get(page);
  if (!asked) throw new Error('This page is not a list of products.');
  return asked;
}

/** Of the list that nothing narrows. */
const statements = new Map<string, string>();

function pageOf(ctx: Context, asked: ProductListArgs): Promise<Page<Product>> {
  const whenEmpty = () => assertBusinessExists(ctx, asked.businessId);
  const { filter, sort = 'NEWEST', search, query } = asked;
  if (filter || sort !== 'NEWEST' || search || query) return searchProducts(ctx, asked, whenEmpty);
  const reader = permissionUserId(ctx.viewer, 'PRODUCTS_WRITE');
  const { params, plain } = buildProductConditions(asked, reader, undefined);
  return loadOwnedPage<CurrentVersion, Product>(
    { db: contentReadDb(ctx.db), keys: ctx.keys },
    {
      params,
      conditions: plain,
      ...(plain.length > 1 ? { isSelective: true } : { statementCache: statements }),
      list: `products:${asked.businessId}`,
      args: asked,
      columns: productCache.columns,
      table: products.from,
      owner: 'p.business_id',
      whenEmpty,
      toNodes: (current) =>
        productCache(contentReadDb(ctx.db)).loadPageRecords(asked.businessId, reader, current),
    },
  );
}

/** The products of a business that an answer shows. */
export async function listBusinessProducts(
  ctx: Context,
  businessId: string,
  args: PageArgs,
): Promise<Page<Product>> {
  const page = await besideOthers(ctx, businessId, args);
  askedFor.set(page, { ...everything, businessId });
  return page;
}

/** What asks for nothing in particular. */
const everything = productListSchema.parse({ businessId: '' });

const besideOthers = createSiblingPageLoader<Context, CurrentVersion, Product>((ctx, businessId) => {
  const reader = permissionUserId(ctx.viewer, 'PRODUCTS_WRITE');
  return {
    list: `products:${businessId}`,
    columns: productCache.columns,
    table: products.from,
    owner: 'p.business_id',
    params: [businessId, reader],
    conditions: [isProductVisible('$1', '$2')],
    toNodes: (current) => productCache(contentReadDb(ctx.db)).loadPageRecords(null, reader, current),
  };
});
