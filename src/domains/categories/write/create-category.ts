/** Creates a category. A slug derived from the name gets a number suffix when it is taken. */
import type { Context } from '../../../context.ts';
import { classifyDbError, type QueryHandle } from '../../../db/index.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { isId, newId } from '../../../lib/ids.ts';
import { firstFreeSlug, slugify } from '../../../lib/text/slug.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { type Category, categoryTable, maxCategories } from '../model.ts';
import type { CreateCategoryArgs } from '../schemas.ts';
import { buildCategoryEvent } from '../webhook-event-data-schemas.ts';
import { categorySlugTakenError, lockCategoryTree, resolveCategoryPlacement } from './lock-category-tree.ts';

export function createCategory(ctx: Context, args: CreateCategoryArgs): Promise<Category> {
  const { businessId, input } = args;
  if (!isId(businessId)) throw notFoundError('Business');
  return runIdempotent(ctx, 'createCategory', { businessId, input }, (queries) =>
    queries.transaction((tx) => insertCategory(ctx, tx, args)),
  );
}

async function insertCategory(ctx: Context, tx: QueryHandle, args: CreateCategoryArgs): Promise<Category> {
  const { businessId, input } = args;
  const tree = await lockCategoryTree(tx, businessId);
  if (tree.nodes.length >= maxCategories) throw tooManyCategoriesError();
  const slugs = new Set(tree.nodes.map(({ slug }) => slug));
  const isTaken = input.slug !== undefined && slugs.has(input.slug);
  const placement = await resolveCategoryPlacement(
    ctx,
    tx,
    tree,
    args,
    undefined,
    isTaken ? [categorySlugTakenError] : [],
  );
  const time = now();
  const { name, description = '', translations = [] } = input;
  const category: Category = {
    id: newId(),
    businessId,
    slug: input.slug ?? firstFreeSlug(slugify(name), slugs),
    ...{ name, description, translations, ...placement },
    ...{ version: 1, createdAt: time, updatedAt: time },
  };
  try {
    await runStatementAndEmitWebhookEvents(ctx, tx, {
      statement: `${categoryTable.insert} returning id`,
      params: requireRecordWithinSizeLimit(categoryTable.insertParams(category)),
      businessId,
      events: [buildCategoryEvent('category.created', category)],
    });
  } catch (error) {
    // The business was deleted concurrently.
    if (classifyDbError(error)?.kind === 'foreignKey') throw notFoundError('Business');
    throw error;
  }
  return category;
}

const tooManyCategoriesError = () =>
  validationError('', 'TOO_MANY_CATEGORIES', `A business may have at most ${maxCategories} categories.`);
