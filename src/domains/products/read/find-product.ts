/** Reads one product by id, slug or slug triple, also by a slug that it had. */
import { permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import { contentReadDb, type Queries } from '../../../db/handles.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import type { Product } from '../model.ts';
import { productCache } from './product-cache.ts';

interface Address {
  businessId: string;
  id: string;
}

export async function findProduct(ctx: Context, at: Address): Promise<Product | undefined> {
  return (await findProductByIdOrSlug(ctx, at)) ?? findByOldSlug(ctx, at);
}

/** By what leads to it today. */
export async function findProductByIdOrSlug(ctx: Context, at: Address): Promise<Product | undefined> {
  const address = parseIdOrSlug(at.businessId, at.id);
  if (!address) return undefined;
  const { businessId } = at;
  const reader = permissionUserId(ctx.viewer, 'PRODUCTS_WRITE');
  const versions = productCache(contentReadDb(ctx.db));
  if (address.by === 'id') return versions.find('id', { businessId, key: address.id, reader });
  return versions.find('slug', { businessId, key: address.slug, reader });
}

/** Only for a slug that no product has which the viewer may see: whoever takes it over comes first. */
async function findByOldSlug(ctx: Context, at: Address): Promise<Product | undefined> {
  const address = parseIdOrSlug(at.businessId, at.id);
  if (address?.by !== 'slug') return undefined;
  const ids = await findProductIdsByOldSlug(contentReadDb(ctx.db), at.businessId, address.slug);
  if (ids.length === 0) return undefined;
  const reader = permissionUserId(ctx.viewer, 'PRODUCTS_WRITE');
  const seen = await productCache(contentReadDb(ctx.db)).loadByIds(at.businessId, reader, ids);
  return ids.flatMap((id) => seen.get(id) ?? [])[0];
}

/** Finds products by slugs that they had: a trigger remembers those (prisma/migrations). */

const statement = `select o.product_id as id from product_old_slugs o where o.business_id = $1 and o.slug = $2
  order by o.replaced_at desc, o.product_id desc limit 20`;

/** The ids of those who had it; who lost it last comes first. */
export async function findProductIdsByOldSlug(
  queries: Queries,
  businessId: string,
  slug: string,
): Promise<string[]> {
  const rows = await queries.sql<{ id: string }>(statement, [businessId, slug]);
  return rows.map(({ id }) => id);
}
