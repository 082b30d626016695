/** Loads products for prices and order lines: in any status, and without a permission check. */
import type { QueryHandle } from '../../../db/index.ts';
import { maxLoaderBatchSize } from '../../../lib/cache/per-request-loader.ts';
import { isId } from '../../../lib/ids.ts';
import {
  type PricingProduct,
  type ProductRow,
  pricingProductColumns,
  productTable,
  toPricingProduct,
} from '../model.ts';

const buildByIdsSql = (business: string, ids: string) =>
  `select ${pricingProductColumns} from ${productTable.from} where p.business_id = ${business} and p.id = any(${ids}::uuid[])`;
const byIdsStatement = buildByIdsSql('$1', '$2');

/** SQL column: rows of the products among `ids`, in any status, as JSON for `toPricingProduct`; null if there are none. */
export const buildProductsOfAnyStatusColumnSql = (business: string, ids: string): string =>
  `(select json_agg(r) from (${buildByIdsSql(business, ids)}) r)`;

/** Map by id of the products among `ids`, without a permission check and in any status. Carts and orders price with these. */
export async function loadProductsOfAnyStatus(
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, PricingProduct>> {
  const validIds = [...new Set(ids)].filter(isId);
  if (validIds.length === 0 || !isId(businessId)) return new Map();
  const rows = await queries.sql<ProductRow>(byIdsStatement, [businessId, validIds]);
  return new Map(rows.map((row) => [row.id, toPricingProduct(row)]));
}

const ofBusinessesStatement = `select ${pricingProductColumns} from ${productTable.from} where p.business_id = any($1::uuid[]) and p.id = any($2::uuid[])`;

/** Like `loadProductsOfAnyStatus` for several businesses. The caller must compare `businessId` of each product with that of its own record. */
export async function loadProductsByBusinessesAndIds(
  queries: QueryHandle,
  businessIds: readonly string[],
  ids: readonly string[],
): Promise<Map<string, PricingProduct>> {
  const validIds = [...new Set(ids)].filter(isId);
  const productsById = new Map<string, PricingProduct>();
  for (let from = 0; from < validIds.length; from += maxLoaderBatchSize) {
    const batch = validIds.slice(from, from + maxLoaderBatchSize);
    for (const row of await queries.sql<ProductRow>(ofBusinessesStatement, [businessIds, batch]))
      productsById.set(row.id, toPricingProduct(row));
  }
  return productsById;
}

const withVariantsStatement = `select ${pricingProductColumns} from ${productTable.from} where p.business_id = $1 and p.id in (
  select v.product_id from variants v where v.business_id = $1 and (v.id = any($2::uuid[]) or v.sku = any($3::text[])))`;

/** Products of the business, in any status, that have one of the variant ids or SKUs. */
export async function loadProductsWithVariants(
  queries: QueryHandle,
  businessId: string,
  { ids, skus }: { ids: readonly string[]; skus: readonly string[] },
): Promise<PricingProduct[]> {
  const rows = await queries.sql<ProductRow>(withVariantsStatement, [businessId, ids.filter(isId), skus]);
  return rows.map(toPricingProduct);
}
