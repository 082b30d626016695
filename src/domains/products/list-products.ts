/** Lists and searches the products a viewer may see, newest first. */

import { expectBusiness } from '../../auth/expect-business.ts';
import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import { siblingPages } from '../../db/sibling-pages.ts';
import type { Current } from '../../db/versions.ts';
import { forbidden } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import type { ProductFilter } from './checks.ts';
import { type Product, products } from './model.ts';
import { searchTerms } from './rules.ts';
import { productVersions } from './versions.ts';
import { isVisible } from './visibility.ts';

export async function listProducts(ctx: Context, filter: ProductFilter): Promise<Page<Product>> {
  if (filter.lowStock && !(await ctx.viewer.can('PRODUCTS_WRITE', filter.businessId))) throw forbidden();
  return ownedPage<Current, Product>(ctx, {
    ...conditionsOf(ctx, filter),
    list: `products:${filter.businessId}`,
    args: filter,
    columns: productVersions.columns,
    table: products.from,
    owner: 'p.business_id',
    whenEmpty: () => expectBusiness(ctx, filter.businessId),
    toNodes: (current) =>
      productVersions(ctx.db).all(filter.businessId, permissionHolder(ctx.viewer, 'PRODUCTS_WRITE'), current),
  });
}

/** The products of a business that an answer shows. */
export const productsOf = siblingPages<Context, Current, Product>((ctx, businessId) => {
  const reader = permissionHolder(ctx.viewer, 'PRODUCTS_WRITE');
  return {
    list: `products:${businessId}`,
    columns: productVersions.columns,
    table: products.from,
    owner: 'p.business_id',
    params: [businessId, reader],
    conditions: [isVisible('$1', '$2')],
    toNodes: (current) => productVersions(ctx.db).all(null, reader, current),
  };
});

/** Only the filters that are asked for become SQL, so that each combination has its own plan. */
function conditionsOf(ctx: Context, filter: ProductFilter) {
  const params: unknown[] = [
    isId(filter.businessId) ? filter.businessId : null,
    permissionHolder(ctx.viewer, 'PRODUCTS_WRITE'),
  ];
  const conditions = [isVisible('$1', '$2')];
  const add = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  if (filter.ids) add(filter.ids.filter(isId), (param) => `p.id = any(${param}::uuid[])`);
  if (filter.category !== undefined) add(filter.category, (param) => `p.category = ${param}`);
  if (filter.categories) add(filter.categories, (param) => `p.category = any(${param}::text[])`);
  if (filter.status) add(filter.status, (param) => `p.status = ${param}`);
  if (filter.lowStock) conditions.push(isLow);
  if (filter.query?.trim()) {
    add(searchTerms(filter.query) ?? null, (param) => `p.id in (${matching(param)})`);
  }
  return { conditions, params, narrowed: conditions.length > 1 };
}

const isLow = `exists (select 1 from variants l where l.business_id = $1 and l.product_id = p.id
  and l.tracked and l.low_stock_threshold is not null and l.quantity <= l.low_stock_threshold)`;

const matching = (terms: string) => `
  select f.id from products f where f.business_id = $1
    and to_tsvector('english', f.name || ' ' || f.category || ' ' || coalesce(f.document->>'description','')) @@ to_tsquery('english', ${terms})
  union
  select s.product_id from variants s where s.business_id = $1
    and to_tsvector('simple', regexp_replace(coalesce(s.sku, ''), '[^[:alnum:]]+', ' ', 'g')) @@ to_tsquery('simple', ${terms})`;
