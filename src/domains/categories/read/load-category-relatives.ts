/** Loads the children and ancestors of categories in batches. */
import type { Context } from '../../../context.ts';
import { selectContentReadDb, type UntypedRow } from '../../../db/index.ts';
import { createPerRequestLoader } from '../../../lib/cache/per-request-loader.ts';
import { type Category, categoryTable, maxCategoryDepth } from '../model.ts';

const childrenStatement = `select ${categoryTable.columns} from ${categoryTable.from}
  where cat.parent_id = any($1::uuid[]) order by cat.position, cat.id`;

const loadChildrenByParent = createPerRequestLoader(async (ctx: Context, parentIds) => {
  const rows = await selectContentReadDb(ctx.db).sql<UntypedRow>(childrenStatement, [parentIds]);
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
  const rows = await selectContentReadDb(ctx.db).sql<UntypedRow & { of_id: string }>(ancestorsStatement, [
    ids,
  ]);
  const byId = new Map<string, Category[]>();
  for (const row of rows) byId.set(row.of_id, [...(byId.get(row.of_id) ?? []), categoryTable.read(row)]);
  return byId;
});

/** Ancestors from the top level down; one statement for all categories of a response. */
export const loadAncestorCategories = async (
  ctx: Context,
  { id, parentId }: Category,
): Promise<Category[]> => (parentId === undefined ? [] : ((await loadAncestorsById(ctx, id)) ?? []));
