/** Batch loaders of products by id, for records that reference them. */

import { buildPermissionConditionSql } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { maxLoaderBatchSize } from '../../../lib/cache/request-loader.ts';
import { isId } from '../../../lib/ids.ts';
import {
  type Product,
  type ProductRow,
  productColumns,
  productTable,
  toProduct,
  type Variant,
} from '../model.ts';
import { productCache } from './product-cache.ts';
import { buildProductVisibilitySql, nonStaffProductViews } from './visibility.ts';

const visibleStatement = (condition: string) =>
  `select ${productColumns}, ${buildPermissionConditionSql('p.business_id', '$1', 'PRODUCTS_WRITE')} as staff
  from ${productTable.from} where ${condition} and ${buildProductVisibilitySql('p.business_id', '$1')}`;

const visibleByIds = visibleStatement('p.id = any($2::uuid[])');
const visibleByVariantIds = visibleStatement(
  'p.id in (select v.product_id from variants v where v.id = any($2::uuid[]))',
);
const visibleBySlugs = visibleStatement(
  '(p.business_id, p.slug) in (select * from unnest($2::uuid[], $3::text[]))',
);

async function queryVisible(ctx: Context, statement: string, ...keys: (readonly string[])[]) {
  const reader = ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE');
  const rows = await ctx.db.sql<ProductRow & { staff: boolean }>(statement, [reader, ...keys]);
  return rows.map((row) => {
    const product = toProduct(row);
    return row.staff ? product : nonStaffProductViews.publicView(product, reader);
  });
}

/** Map by id of the products among `ids` that the viewer may see, across all businesses. */
export async function loadVisibleProducts(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const products = await queryVisible(ctx, visibleByIds, ids);
  return new Map(products.map((product) => [product.id, product]));
}

/** Map by id of the variants among `ids` whose product the viewer may see, across all businesses. */
export async function loadVisibleVariants(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Variant>> {
  const products = await queryVisible(ctx, visibleByVariantIds, ids);
  return new Map(products.flatMap(({ variants }) => variants.map((variant) => [variant.id, variant])));
}

/** Products with one of the current slugs that the viewer may see. */
export const loadVisibleProductsBySlugs = (
  ctx: Context,
  addresses: readonly { businessId: string; slug: string }[],
): Promise<Product[]> =>
  queryVisible(
    ctx,
    visibleBySlugs,
    addresses.map(({ businessId }) => businessId),
    addresses.map(({ slug }) => slug),
  );

/** Map by id of the products of one business among `ids` that the viewer may see. */
export const loadProducts = (ctx: Context, businessId: string, ids: readonly string[]) =>
  productCache(ctx.db).loadByIds(businessId, ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE'), ids);

/** Those of `ids` that are products of the business, in any status. */
export async function findExistingProductIds(
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from products where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

const buildByIdsSql = (business: string, ids: string) =>
  `select ${productColumns} from ${productTable.from} where p.business_id = ${business} and p.id = any(${ids}::uuid[])`;
const byIdsStatement = buildByIdsSql('$1', '$2');

/** SQL column: rows of the products among `ids`, in any status, as JSON for `toProduct`; null if there are none. */
export const buildProductsOfAnyStatusSql = (business: string, ids: string): string =>
  `(select json_agg(r) from (${buildByIdsSql(business, ids)}) r)`;

/** Map by id of the products among `ids`, without a permission check and in any status. Carts and orders price with these. */
export async function loadProductsOfAnyStatus(
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const validIds = [...new Set(ids)].filter(isId);
  if (validIds.length === 0 || !isId(businessId)) return new Map();
  const rows = await queries.sql<ProductRow>(byIdsStatement, [businessId, validIds]);
  return new Map(rows.map((row) => [row.id, toProduct(row)]));
}

const ofBusinessesStatement = `select ${productColumns} from ${productTable.from} where p.business_id = any($1::uuid[]) and p.id = any($2::uuid[])`;

/** Like `loadProductsOfAnyStatus` for several businesses. The caller must compare `businessId` of each product with that of its own record. */
export async function loadProductsByBusinessesAndIds(
  queries: QueryHandle,
  businessIds: readonly string[],
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const validIds = [...new Set(ids)].filter(isId);
  const productsById = new Map<string, Product>();
  for (let from = 0; from < validIds.length; from += maxLoaderBatchSize) {
    const batch = validIds.slice(from, from + maxLoaderBatchSize);
    for (const row of await queries.sql<ProductRow>(ofBusinessesStatement, [businessIds, batch]))
      productsById.set(row.id, toProduct(row));
  }
  return productsById;
}

const withVariantsStatement = `select ${productColumns} from ${productTable.from} where p.business_id = $1 and p.id in (
  select v.product_id from variants v where v.business_id = $1 and (v.id = any($2::uuid[]) or v.sku = any($3::text[])))`;

/** Products of the business, in any status, that have one of the variant ids or SKUs. */
export async function loadProductsWithVariants(
  queries: QueryHandle,
  businessId: string,
  { ids, skus }: { ids: readonly string[]; skus: readonly string[] },
): Promise<Product[]> {
  const rows = await queries.sql<ProductRow>(withVariantsStatement, [businessId, ids.filter(isId), skus]);
  return rows.map(toProduct);
}
