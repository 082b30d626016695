/** Lists and searches the products a viewer may see. */

import { expectBusiness } from '../../auth/expect-business.ts';
import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import { siblingPages } from '../../db/sibling-pages.ts';
import { contentOf } from '../../db/sql.ts';
import type { Current } from '../../db/versions.ts';
import { forbidden } from '../../errors.ts';
import { Beside } from '../../lib/beside.ts';
import type { Page, PageArgs } from '../../lib/paging.ts';
import { type ProductFilter, productFilterCheck } from './find-checks.ts';
import { findProducts } from './find-products.ts';
import { type Product, products } from './model.ts';
import { narrowedTo } from './narrowing.ts';
import { productVersions } from './versions.ts';
import { isVisible } from './visibility.ts';

export async function listProducts(ctx: Context, asked: ProductFilter): Promise<Page<Product>> {
  if (asked.lowStock && !(await ctx.viewer.can('PRODUCTS_WRITE', asked.businessId))) throw forbidden();
  const page = await pageOf(ctx, asked);
  askedFor.set(page, asked);
  return page;
}

/** What a page was asked for, for what is said about the whole of it. */
const askedFor = new Beside<Page<Product>, ProductFilter>();

export function askedForOf(page: Page<Product>): ProductFilter {
  const asked = askedFor.get(page);
  if (!asked) throw new Error('This page is not a list of products.');
  return asked;
}

/** Of the list that nothing narrows. */
const statements = new Map<string, string>();

function pageOf(ctx: Context, asked: ProductFilter): Promise<Page<Product>> {
  const whenEmpty = () => expectBusiness(ctx, asked.businessId);
  const { filter, sort = 'NEWEST', search, query } = asked;
  if (filter || sort !== 'NEWEST' || search || query) return findProducts(ctx, asked, whenEmpty);
  const reader = permissionHolder(ctx.viewer, 'PRODUCTS_WRITE');
  const { params, plain } = narrowedTo(asked, reader, undefined);
  return ownedPage<Current, Product>(
    { db: contentOf(ctx.db), keys: ctx.keys },
    {
      params,
      conditions: plain,
      ...(plain.length > 1 ? { narrowed: true } : { statements }),
      list: `products:${asked.businessId}`,
      args: asked,
      columns: productVersions.columns,
      table: products.from,
      owner: 'p.business_id',
      whenEmpty,
      toNodes: (current) => productVersions(contentOf(ctx.db)).all(asked.businessId, reader, current),
    },
  );
}

/** The products of a business that an answer shows. */
export async function productsOf(ctx: Context, businessId: string, args: PageArgs): Promise<Page<Product>> {
  const page = await besideOthers(ctx, businessId, args);
  askedFor.set(page, { ...everything, businessId });
  return page;
}

/** What asks for nothing in particular. */
const everything = productFilterCheck.parse({ businessId: '' });

const besideOthers = siblingPages<Context, Current, Product>((ctx, businessId) => {
  const reader = permissionHolder(ctx.viewer, 'PRODUCTS_WRITE');
  return {
    list: `products:${businessId}`,
    columns: productVersions.columns,
    table: products.from,
    owner: 'p.business_id',
    params: [businessId, reader],
    conditions: [isVisible('$1', '$2')],
    toNodes: (current) => productVersions(contentOf(ctx.db)).all(null, reader, current),
  };
});
