/** Batch loaders of products by id, for records that reference them. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import {
  type Product,
  type ProductRow,
  productColumns,
  productTable,
  toProduct,
  type Variant,
} from '../model.ts';
import { nonStaffProductViews } from './non-staff-product-views.ts';
import { productCache } from './product-cache.ts';
import { buildProductVisibilityConditionSql } from './visibility-sql.ts';

const visibleStatement = (condition: string) =>
  `select ${productColumns}, ${buildPermissionConditionSql('p.business_id', '$1', 'PRODUCTS_WRITE')} as staff
  from ${productTable.from} where ${condition} and ${buildProductVisibilityConditionSql('p.business_id', '$1')}`;

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
export const loadProductMap = (ctx: Context, businessId: string, ids: readonly string[]) =>
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
