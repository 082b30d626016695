/** Finds one category by id or slug. All viewers of a storefront see all categories. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, selectContentReadDb } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import type { Category } from '../model.ts';
import { categoryCache } from './category-cache.ts';

export async function findCategory(
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Category | undefined> {
  if (!isId(businessId)) return undefined;
  const reader = ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE');
  const key = isId(id) ? id.toLowerCase() : id;
  return categoryCache(selectContentReadDb(ctx.db)).find(isId(id) ? 'id' : 'slug', {
    businessId,
    key,
    reader,
  });
}

/** Current slug of a category by id or slug, for records that refer to it. */
export async function findCategorySlug(
  queries: QueryHandle,
  businessId: string,
  id: string,
): Promise<string | undefined> {
  const column = isId(id) ? 'id' : 'slug';
  const [row] = await queries.sql<{ slug: string }>(
    `select slug from categories where business_id = $1 and ${column} = $2`,
    [businessId, id],
  );
  return row?.slug;
}
