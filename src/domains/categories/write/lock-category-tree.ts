/** Locks and reads the category tree of a business, and applies the fields of an input that depend on it. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, takeAdvisoryLock } from '../../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { fillMediaReferences } from '../../media/media-references.ts';
import {
  buildCategoryTree,
  type CategoryTree,
  computeNextChildPosition,
  findCategoryInTree,
  findParentCategoryError,
} from '../category-tree-rules.ts';
import type { Category } from '../model.ts';
import type { UpdateCategoryArgs } from '../schemas.ts';

const treeStatement =
  'select id, parent_id, slug, position from categories where business_id = $1 order by id';

/** Changes of a tree run one at a time: two concurrent moves could otherwise put each category below the other. */
export async function lockCategoryTree(tx: QueryHandle, businessId: string): Promise<CategoryTree> {
  await takeAdvisoryLock(tx, `categories:${businessId}`);
  const rows = await tx.sql<{ id: string; parent_id: string | null; slug: string; position: number }>(
    treeStatement,
    [businessId],
  );
  return buildCategoryTree(
    rows.map(({ id, parent_id, slug, position }) => ({
      id,
      parentId: parent_id ?? undefined,
      slug,
      position,
    })),
  );
}

type Placement = Pick<Category, 'parentId' | 'position' | 'image'>;

/** Parent, position and image of a category after the input. `current` is undefined for a new one. Reports all errors together. */
export async function resolveCategoryPlacement(
  ctx: Context,
  tx: QueryHandle,
  tree: CategoryTree,
  { businessId, input }: Pick<UpdateCategoryArgs, 'businessId' | 'input'>,
  current: Category | undefined,
  otherErrors: readonly ErrorDetail[],
): Promise<Placement> {
  const parent = input.parentId == null ? undefined : findCategoryInTree(tree, input.parentId);
  const parentId = input.parentId === undefined ? current?.parentId : parent?.id;
  const image = input.image === undefined ? current?.image : (input.image ?? undefined);
  const errors = [...otherErrors];
  if (input.parentId != null) {
    const error = parent ? findParentCategoryError(tree, current?.id, parent.id) : parentNotFoundError;
    if (error) errors.push(error);
  }
  if (input.image?.mediaId)
    errors.push(...(await fillMediaReferences(ctx, tx, businessId, [{ field: 'image', item: input.image }])));
  if (errors.length > 0) throw validationErrorFrom(errors);
  const isMoved = !current || parentId !== current.parentId;
  return {
    parentId,
    image,
    position: input.position ?? (isMoved ? computeNextChildPosition(tree, parentId) : current.position),
  };
}

const parentNotFoundError: ErrorDetail = {
  field: 'parentId',
  error: 'CATEGORY_NOT_FOUND',
  message: 'The business has no such category.',
};

export const categorySlugTakenError: ErrorDetail = {
  field: 'slug',
  error: 'SLUG_TAKEN',
  message: 'Another category of this business has this slug.',
};
