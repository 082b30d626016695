/** Deletes a category. With `force` its sub-categories move up one level, and products keep their text. */
import type { Context } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { assertExpectedVersion, type DeleteRecordArgs } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import {
  assertCategoryDeletable,
  childCategoriesOf,
  computeNextChildPosition,
} from '../category-tree-rules.ts';
import { type Category, categoryTable } from '../model.ts';
import { buildCategoryEvent } from '../webhook-event-data-schemas.ts';
import { listReferrersOfCategorySlug } from './category-slug-referrer-registry.ts';
import { lockTreeAndRequireCategory } from './update-category.ts';

export async function deleteCategory(ctx: Context, args: DeleteRecordArgs): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const { tree, category } = await lockTreeAndRequireCategory(tx, args.businessId, args.id);
    assertExpectedVersion(category.version, args.version);
    const children = childCategoriesOf(tree, category.id);
    const users = await listReferrersOfCategorySlug(tx, category.businessId, category.slug);
    assertCategoryDeletable(children.length, users, args.force ?? false);
    const moved =
      children.length > 0
        ? await moveChildrenUp(ctx, tx, category, computeNextChildPosition(tree, category.parentId))
        : [];
    await tx.write('delete from categories where id = $1', [category.id]);
    await emitWebhookEvents(ctx, tx, category.businessId, [
      ...moved.map((child) => buildCategoryEvent('category.updated', child)),
      buildCategoryEvent('category.deleted', category),
    ]);
    return { id: category.id };
  });
}

const childrenStatement = `select ${categoryTable.columns} from ${categoryTable.from} where cat.parent_id = $1 order by cat.position, cat.id`;

const moveStatement = `update categories c set parent_id = $4, position = v.position, version = v.version, updated_at = $5
  from unnest($1::uuid[], $2::int[], $3::int[]) v(id, position, version) where c.id = v.id`;

/** The children follow the categories that are there already, in their order. */
async function moveChildrenUp(ctx: Context, tx: QueryHandle, parent: Category, firstPosition: number) {
  const children = (await tx.sql<UntypedRow>(childrenStatement, [parent.id])).map(categoryTable.read);
  const moved = children.map((child, index) => ({
    ...child,
    parentId: parent.parentId,
    position: firstPosition + index,
    version: ctx.db.nextVersion(child.version),
    updatedAt: now(),
  }));
  const column = <Key extends 'id' | 'position' | 'version'>(key: Key) => moved.map((child) => child[key]);
  const values = [column('id'), column('position'), column('version'), parent.parentId ?? null, now()];
  await tx.write(moveStatement, values);
  return moved;
}
