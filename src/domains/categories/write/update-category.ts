/** Updates the fields in the input. The slug is fixed while products or tax rates have it as their text. */
import type { Context } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { type ErrorDetail, notFoundError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { omitUndefined } from '../../../lib/json/plain-objects.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { type CategoryTree, findCategoryInTree } from '../category-tree-rules.ts';
import { type Category, categoryTable } from '../model.ts';
import type { UpdateCategoryArgs } from '../schemas.ts';
import { buildCategoryEvent } from '../webhook-event-data-schemas.ts';
import { listReferrersOfCategorySlug } from './category-slug-referrer-registry.ts';
import { categorySlugTakenError, lockCategoryTree, resolveCategoryPlacement } from './lock-category-tree.ts';

export async function updateCategory(ctx: Context, args: UpdateCategoryArgs): Promise<Category> {
  const { businessId, id, version, input } = args;
  return ctx.db.transaction(async (tx) => {
    const { tree, category } = await lockTreeAndRequireCategory(tx, businessId, id);
    assertExpectedVersion(category.version, version);
    const slugErrors = await findSlugErrors(tx, tree, category, input.slug);
    const placement = await resolveCategoryPlacement(ctx, tx, tree, args, category, slugErrors);
    const { parentId: _parent, image: _image, ...fields } = input;
    const updated: Category = {
      ...category,
      ...omitUndefined(fields),
      ...placement,
      ...{ version: ctx.db.nextVersion(category.version), updatedAt: now() },
    };
    await runStatementAndEmitWebhookEvents(ctx, tx, {
      statement: `${categoryTable.update} returning id`,
      params: requireRecordWithinSizeLimit(categoryTable.updateParams(updated)),
      businessId: category.businessId,
      events: [buildCategoryEvent('category.updated', updated)],
    });
    return updated;
  });
}

const selectStatement = `select ${categoryTable.columns} from ${categoryTable.from} where cat.business_id = $1 and cat.id = $2`;

/** Locks the tree and reads one category by id or slug; NOT_FOUND if the business has no such category. */
export async function lockTreeAndRequireCategory(
  tx: QueryHandle,
  businessId: string,
  idOrSlug: string,
): Promise<{ tree: CategoryTree; category: Category }> {
  if (!isId(businessId)) throw notFoundError('Category');
  const tree = await lockCategoryTree(tx, businessId);
  const id = findCategoryInTree(tree, idOrSlug)?.id;
  const [row] = id === undefined ? [] : await tx.sql<UntypedRow>(selectStatement, [businessId, id]);
  if (!row) throw notFoundError('Category');
  return { tree, category: categoryTable.read(row) };
}

/** Products would leave a category whose slug changes, and tax rates would no longer apply to it. */
async function findSlugErrors(
  tx: QueryHandle,
  tree: CategoryTree,
  { businessId, slug }: Category,
  requested: string | undefined,
): Promise<ErrorDetail[]> {
  if (requested === undefined || requested === slug) return [];
  if (tree.nodes.some((node) => node.slug === requested)) return [categorySlugTakenError];
  const users = await listReferrersOfCategorySlug(tx, businessId, slug);
  if (users.length === 0) return [];
  const message = `The slug cannot change while it is the category of ${users.join(' and ')}.`;
  return [{ field: 'slug', error: 'CATEGORY_IN_USE', message }];
}
