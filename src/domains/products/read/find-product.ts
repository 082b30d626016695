/** Finds one product by id, slug or `<businessId>:<locale>:<slug>`, with a fallback to its former slugs. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, selectContentReadDb } from '../../../db/index.ts';
import { parseIdOrSlug } from '../../../lib/ids.ts';
import type { Product } from '../model.ts';
import { productCache } from './product-cache.ts';

interface ProductAddress {
  businessId: string;
  id: string;
}

export async function findProduct(ctx: Context, args: ProductAddress): Promise<Product | undefined> {
  return (await findProductByIdOrSlug(ctx, args)) ?? findByOldSlug(ctx, args);
}

/** Looks up the current id or slug only; former slugs do not match. */
export async function findProductByIdOrSlug(
  ctx: Context,
  args: ProductAddress,
): Promise<Product | undefined> {
  const address = parseIdOrSlug(args.businessId, args.id);
  if (!address) return undefined;
  const { businessId } = args;
  const reader = ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE');
  const cache = productCache(selectContentReadDb(ctx.db));
  if (address.by === 'id') return cache.find('id', { businessId, key: address.id, reader });
  return cache.find('slug', { businessId, key: address.slug, reader });
}

/** Runs only when no product that the viewer may see has the slug now: the current owner of a slug takes precedence. */
async function findByOldSlug(ctx: Context, args: ProductAddress): Promise<Product | undefined> {
  const address = parseIdOrSlug(args.businessId, args.id);
  if (address?.by !== 'slug') return undefined;
  const ids = await findProductIdsByOldSlug(selectContentReadDb(ctx.db), args.businessId, address.slug);
  if (ids.length === 0) return undefined;
  const reader = ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE');
  const visibleById = await productCache(selectContentReadDb(ctx.db)).loadByIds(args.businessId, reader, ids);
  return ids.flatMap((id) => visibleById.get(id) ?? [])[0];
}

/** A trigger fills `product_old_slugs` whenever a slug changes (prisma/migrations). */
const oldSlugStatement = `select o.product_id as id from product_old_slugs o where o.business_id = $1 and o.slug = $2
  order by o.replaced_at desc, o.product_id desc limit 20`;

/** Ids of at most 20 products that had the slug, the most recent owner first. */
async function findProductIdsByOldSlug(
  queries: QueryHandle,
  businessId: string,
  slug: string,
): Promise<string[]> {
  const rows = await queries.sql<{ id: string }>(oldSlugStatement, [businessId, slug]);
  return rows.map(({ id }) => id);
}
