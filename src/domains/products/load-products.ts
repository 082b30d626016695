/** Reads several products at once, for records that point at them. */

import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { type Product, type ProductRow, productColumns, toProduct } from './model.ts';
import { draftReader, isVisible } from './visibility.ts';

/** The products among `ids` that the viewer may see, of whatever business, by id. */
export async function loadVisibleProducts(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const rows = await ctx.db.sql<ProductRow>(
    `select ${productColumns} from products p where p.id = any($1::uuid[]) and ${isVisible('p.business_id', '$2')}`,
    [ids, draftReader(ctx.viewer, 'PRODUCTS_WRITE')],
  );
  return new Map(rows.map((row) => [row.id, toProduct(row)]));
}

/** The products of a business among `ids` that the viewer may see, by id. */
export async function loadProducts(
  ctx: Context,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const rows = await ctx.db.sql<ProductRow>(
    `select ${productColumns} from products p where p.business_id = $1 and p.id = any($2::uuid[]) and ${isVisible('$1', '$3')}`,
    [businessId, ids, draftReader(ctx.viewer, 'PRODUCTS_WRITE')],
  );
  return new Map(rows.map((row) => [row.id, toProduct(row)]));
}

/** Which of `ids` are products of the business. */
export async function existingProducts(
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
