/** Reads one product by id, slug or slug triple. */

import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { contentOf } from '../../db/sql.ts';
import { isId, parseAddress } from '../../lib/ids.ts';
import type { Product } from './model.ts';
import { productVersions } from './versions.ts';

export async function findProduct(
  ctx: Context,
  at: { businessId: string; id: string },
): Promise<Product | undefined> {
  if (!isId(at.businessId)) return undefined;
  const address = parseAddress(at.id);
  const question = { businessId: at.businessId, reader: permissionHolder(ctx.viewer, 'PRODUCTS_WRITE') };
  const versions = productVersions(contentOf(ctx.db));
  if (address.by === 'id') return versions.find('id', { key: address.id, ...question });
  if (address.businessId && address.businessId !== at.businessId) return undefined;
  return versions.find('slug', { key: address.slug, ...question });
}
