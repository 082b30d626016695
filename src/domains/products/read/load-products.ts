/** Reads several products at once, for records that point at them. */

import { hasPermissionSql, permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { maxLoaderBatchSize } from '../../../lib/cache/request-loader.ts';
import { isId } from '../../../lib/ids.ts';
import { type Product, type ProductRow, productColumns, products, toProduct } from '../model.ts';
import { productCache } from './product-cache.ts';
import { isProductVisible, productPublicView } from './visibility.ts';

const visible = `select ${productColumns}, ${hasPermissionSql('p.business_id', '$2', 'PRODUCTS_WRITE')} as staff
  from ${products.from} where p.id = any($1::uuid[]) and ${isProductVisible('p.business_id', '$2')}`;

/** The products among `ids` that the viewer may see, of whatever business, by id. */
export async function loadVisibleProducts(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const reader = permissionUserId(ctx.viewer, 'PRODUCTS_WRITE');
  const rows = await ctx.db.sql<ProductRow & { staff: boolean }>(visible, [ids, reader]);
  return new Map(
    rows.map((row) => {
      const product = toProduct(row);
      return [row.id, row.staff ? product : productPublicView.forPublic(product, reader)];
    }),
  );
}

/** The products of a business among `ids` that the viewer may see, by id. */
export const loadProducts = (ctx: Context, businessId: string, ids: readonly string[]) =>
  productCache(ctx.db).loadByIds(businessId, permissionUserId(ctx.viewer, 'PRODUCTS_WRITE'), ids);

/** Which of `ids` are products of the business. */
export async function findExistingProductIds(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from products where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

const byIds = `select ${productColumns} from ${products.from} where p.business_id = $1 and p.id = any($2::uuid[])`;

/** The products among `ids`, by id, whoever asks and whatever their status: as carts and orders need them. */
export async function loadProductsOfAnyStatus(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const wanted = [...new Set(ids)].filter(isId);
  if (wanted.length === 0 || !isId(businessId)) return new Map();
  const rows = await queries.sql<ProductRow>(byIds, [businessId, wanted]);
  return new Map(rows.map((row) => [row.id, toProduct(row)]));
}

const ofBusinesses = `select ${productColumns} from ${products.from} where p.business_id = any($1::uuid[]) and p.id = any($2::uuid[])`;

/** The same for records of several businesses: each has to look whose product it is. */
export async function loadProductsOfBusinesses(
  queries: Queries,
  businessIds: readonly string[],
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const wanted = [...new Set(ids)].filter(isId);
  const found = new Map<string, Product>();
  for (let from = 0; from < wanted.length; from += maxLoaderBatchSize) {
    const part = wanted.slice(from, from + maxLoaderBatchSize);
    for (const row of await queries.sql<ProductRow>(ofBusinesses, [businessIds, part]))
      found.set(row.id, toProduct(row));
  }
  return found;
}

const withVariants = `select ${productColumns} from ${products.from} where p.business_id = $1 and p.id in (
  select v.product_id from variants v where v.business_id = $1 and (v.id = any($2::uuid[]) or v.sku = any($3::text[])))`;

/** The products that have any of these variants, whatever their status. */
export async function loadProductsWithVariants(
  queries: Queries,
  businessId: string,
  { ids, skus }: { ids: readonly string[]; skus: readonly string[] },
): Promise<Product[]> {
  const rows = await queries.sql<ProductRow>(withVariants, [businessId, ids.filter(isId), skus]);
  return rows.map(toProduct);
}
