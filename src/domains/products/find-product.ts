/** Reads one product by id, slug or slug triple, also by a slug that it had. */

import { permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { contentOf } from '../../db/sql.ts';
import { addressIn } from '../../lib/ids.ts';
import type { Product } from './model.ts';
import { idsByOldSlug } from './old-slugs.ts';
import { productVersions } from './versions.ts';

interface Address {
  businessId: string;
  id: string;
}

export async function findProduct(ctx: Context, at: Address): Promise<Product | undefined> {
  return (await findByAddress(ctx, at)) ?? findByOldSlug(ctx, at);
}

/** By what leads to it today. */
export async function findByAddress(ctx: Context, at: Address): Promise<Product | undefined> {
  const address = addressIn(at.businessId, at.id);
  if (!address) return undefined;
  const { businessId } = at;
  const reader = permissionHolder(ctx.viewer, 'PRODUCTS_WRITE');
  const versions = productVersions(contentOf(ctx.db));
  if (address.by === 'id') return versions.find('id', { businessId, key: address.id, reader });
  return versions.find('slug', { businessId, key: address.slug, reader });
}

/** Only for a slug that no product has which the viewer may see: whoever takes it over comes first. */
async function findByOldSlug(ctx: Context, at: Address): Promise<Product | undefined> {
  const address = addressIn(at.businessId, at.id);
  if (address?.by !== 'slug') return undefined;
  const ids = await idsByOldSlug(contentOf(ctx.db), at.businessId, address.slug);
  if (ids.length === 0) return undefined;
  const reader = permissionHolder(ctx.viewer, 'PRODUCTS_WRITE');
  const seen = await productVersions(contentOf(ctx.db)).load(at.businessId, reader, ids);
  return ids.flatMap((id) => seen.get(id) ?? [])[0];
}
