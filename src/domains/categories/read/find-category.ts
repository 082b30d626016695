/** Finds categories by id or slug, and loads batches of them and of their relatives. All viewers of a storefront see all categories. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, selectContentReadDb, type TableRow } from '../../../db/index.ts';
import { createPerRequestLoader } from '../../../lib/cache/request-loader.ts';
import { isId } from '../../../lib/ids.ts';
import { type Category, categoryTable, maxCategoryDepth } from '../model.ts';
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
  const rows = await selectContentReadDb(ctx.db).sql<TableRow>(bySlugsStatement, [businessIds, slugs]);
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

const childrenStatement = `select ${categoryTable.columns} from ${categoryTable.from}
  where cat.parent_id = any($1::uuid[]) order by cat.position, cat.id`;

const loadChildrenByParent = createPerRequestLoader(async (ctx: Context, parentIds) => {
  const rows = await selectContentReadDb(ctx.db).sql<TableRow>(childrenStatement, [parentIds]);
  const byParent = new Map<string, Category[]>();
  for (const child of rows.map(categoryTable.read)) {
    const siblings = byParent.get(child.parentId ?? '') ?? [];
    siblings.push(child);
    byParent.set(child.parentId ?? '', siblings);
  }
  return byParent;
});

/** Direct children in their order; one statement for all parents of a response. */
export const loadChildCategories = async (ctx: Context, id: string): Promise<Category[]> =>
  (await loadChildrenByParent(ctx, id)) ?? [];

const ancestorsStatement = `with recursive up as (
    select c.id as of_id, c.business_id, c.parent_id, 1 as level from categories c where c.id = any($1::uuid[])
    union all
    select u.of_id, p.business_id, p.parent_id, u.level + 1 from up u
    join categories p on p.business_id = u.business_id and p.id = u.parent_id where u.level < ${maxCategoryDepth})
  select u.of_id, ${categoryTable.columns} from up u
  join ${categoryTable.from} on cat.business_id = u.business_id and cat.id = u.parent_id order by u.level desc`;

const loadAncestorsById = createPerRequestLoader(async (ctx: Context, ids) => {
  const rows = await selectContentReadDb(ctx.db).sql<TableRow & { of_id: string }>(ancestorsStatement, [ids]);
  const byId = new Map<string, Category[]>();
  for (const row of rows) byId.set(row.of_id, [...(byId.get(row.of_id) ?? []), categoryTable.read(row)]);
  return byId;
});

/** Ancestors from the top level down; one statement for all categories of a response. */
export const loadAncestorCategories = async (
  ctx: Context,
  { id, parentId }: Category,
): Promise<Category[]> => (parentId === undefined ? [] : ((await loadAncestorsById(ctx, id)) ?? []));
