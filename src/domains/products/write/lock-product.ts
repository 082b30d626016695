/** Locks and reads a product for an update. The row lock also covers its variants and stock, until the transaction ends. */
import type { QueryHandle } from '../../../db/index.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import { type Product, type ProductRow, productColumns, productTable, toProduct } from '../model.ts';

export async function lockProductByIdOrSlug(
  tx: QueryHandle,
  businessId: string,
  id: string,
): Promise<Product | undefined> {
  const address = parseIdOrSlug(businessId, id);
  if (!address) return undefined;
  const column = address.by;
  const value = address.by === 'id' ? address.id : address.slug;
  const [locked] = await tx.sql<{ id: string }>(
    `select id from products where business_id = $1 and ${column} = $2 for update`,
    [businessId, value],
  );
  if (!locked) return undefined;
  // A second statement, because the locking one has the snapshot from before it waited: document and stock must be of the same version.
  const [row] = await tx.sql<ProductRow>(
    `select ${productColumns} from ${productTable.from} where p.business_id = $1 and p.id = $2`,
    [businessId, locked.id],
  );
  return row && toProduct(row);
}
