/** Loads categories in batches, by id or slug. */
import type { Context } from '../../../context.ts';
import { selectContentReadDb, type UntypedRow } from '../../../db/index.ts';
import { createPerRequestLoader } from '../../../lib/cache/per-request-loader.ts';
import { type Category, categoryTable } from '../model.ts';
import { categoryCache } from './category-cache.ts';

/** Map by id of the categories among `ids`, across all businesses. */
export const loadCategoryMap = (ctx: Context, ids: readonly string[]): Promise<Map<string, Category>> =>
  categoryCache(selectContentReadDb(ctx.db)).loadByIdsOfAnyBusiness(
    ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE'),
    ids,
  );

export const loadCategory = createPerRequestLoader(loadCategoryMap);

const separator = '/';

const bySlugsStatement = `select ${categoryTable.columns} from ${categoryTable.from}
  where (cat.business_id, cat.slug) in (select * from unnest($1::uuid[], $2::text[]))`;

const loadByBusinessAndSlug = createPerRequestLoader(async (ctx: Context, keys) => {
  const businessIds = keys.map((key) => key.slice(0, key.indexOf(separator)));
  const slugs = keys.map((key) => key.slice(key.indexOf(separator) + 1));
  const rows = await selectContentReadDb(ctx.db).sql<UntypedRow>(bySlugsStatement, [businessIds, slugs]);
  const categories = rows.map(categoryTable.read);
  return new Map(categories.map((category) => [category.businessId + separator + category.slug, category]));
});

/** Category of a product: the one whose slug is the text in its field `category`. */
export const loadCategoryBySlug = async (
  ctx: Context,
  businessId: string,
  slug: string,
): Promise<Category | undefined> =>
  slug === '' ? undefined : loadByBusinessAndSlug(ctx, businessId + separator + slug);
