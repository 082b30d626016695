/** Products as a cart or an order needs them: names, prices and stock, whatever their status. */
import type { Queries } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';
import { type Product, type ProductRow, productColumns, toProduct } from './model.ts';

const select = `select ${productColumns} from products p where p.business_id = $1 and p.id = any($2::uuid[])`;

export async function soldProducts(
  queries: Queries,
  businessId: string,
  productIds: readonly string[],
): Promise<Map<string, Product>> {
  const ids = [...new Set(productIds)].filter(isId);
  if (ids.length === 0 || !isId(businessId)) return new Map();
  const rows = await queries.sql<ProductRow>(select, [businessId, ids]);
  return new Map(rows.map((row) => [row.id, toProduct(row)]));
}
