/** Import and export of categories in tree order. An import updates the category with the id or slug of the line, or creates a new one. */
import { parseInput } from '../../../lib/validation/input.ts';
import type { Category } from '../../categories/model.ts';
import { findCategory } from '../../categories/read/find-category.ts';
import { listCategories } from '../../categories/read/list-categories.ts';
import { loadCategoryMap } from '../../categories/read/load-categories.ts';
import {
  createCategorySchema,
  listCategoriesSchema,
  updateCategorySchema,
} from '../../categories/schemas.ts';
import { createCategory } from '../../categories/write/create-category.ts';
import { updateCategory } from '../../categories/write/update-category.ts';
import { type BulkRecordFields, type BulkResourceHandler, toBulkRecordPage } from './resource-handler.ts';

export const categoryBulkHandler: BulkResourceHandler = {
  columns: {
    id: 'text',
    slug: 'text',
    parentId: 'text',
    name: 'text',
    description: 'text',
    position: 'number',
    translations: 'json',
    image: 'json',
    createdAt: 'exportOnly',
    updatedAt: 'exportOnly',
  },
  async page(ctx, { businessId }, args) {
    const page = await listCategories(ctx, listCategoriesSchema.parse({ businessId, ...args }));
    const parents = await loadCategoryMap(
      ctx,
      page.nodes.flatMap(({ parentId }) => parentId ?? []),
    );
    return toBulkRecordPage(Promise.resolve(page), (category) => toFields(category, parents));
  },
  async apply({ ctx, readCtx, fields: { id, ...input } }, { businessId }) {
    const existing =
      (await findBy(readCtx, businessId, id)) ?? (await findBy(readCtx, businessId, input.slug));
    return existing
      ? updateCategory(ctx, parseInput(updateCategorySchema, { businessId, id: existing.id, input }))
      : createCategory(ctx, parseInput(createCategorySchema, { businessId, input }));
  },
};

const findBy = async (ctx: Parameters<typeof findCategory>[0], businessId: string, idOrSlug: unknown) =>
  typeof idOrSlug === 'string' ? findCategory(ctx, { businessId, id: idOrSlug }) : undefined;

/** The parent is exported by its slug, so that another business can import the tree. */
const toFields = (
  { businessId: _business, version: _version, ...category }: Category,
  parents: ReadonlyMap<string, Category>,
): BulkRecordFields => ({ ...category, parentId: parents.get(category.parentId ?? '')?.slug });
