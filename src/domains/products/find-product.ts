/** Reads one product by id, slug or slug triple. */

import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { isId, parseAddress } from '../../lib/ids.ts';
import { type Product, type ProductRow, productColumns, products, toProduct } from './model.ts';
import { productVersions } from './versions.ts';
import { isVisible } from './visibility.ts';

const bySlug = `select ${productColumns} from ${products.from} where p.business_id = $1 and p.slug = $2 and ${isVisible('$1', '$3')}`;

/** Sends the product only when its version is not the one at hand, `$4`; in one column, since many cost time even when empty. */
const byId = `select (select row_to_json(q) from (select ${productColumns} where p.version <> $4) q) as changed from ${products.from}
  where p.business_id = $1 and p.id = $2 and ${isVisible('$1', '$3')}`;

export async function findProduct(
  ctx: Context,
  at: { businessId: string; id: string },
): Promise<Product | undefined> {
  if (!isId(at.businessId)) return undefined;
  const address = parseAddress(at.id);
  const reader = permissionHolder(ctx.viewer);
  const versions = productVersions(ctx.db);
  if (address.by === 'slug') {
    if (address.businessId && address.businessId !== at.businessId) return undefined;
    const [row] = await ctx.db.sql<ProductRow>(bySlug, [at.businessId, address.slug, reader]);
    return row && versions.keep(toProduct(row));
  }
  const atHand = versions.latest(address.id);
  const [row] = await ctx.db.sql<{ changed: ProductRow | null }>(byId, [
    at.businessId,
    address.id,
    reader,
    atHand?.version ?? 0,
  ]);
  if (!row) return undefined;
  return row.changed ? versions.keep(toProduct(row.changed)) : atHand;
}
