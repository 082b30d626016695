/** Category record and its database table. */
import { defineTable } from '../../db/index.ts';
import type { CategoryModel } from '../../generated/prisma/models.ts';
import type { MediaItem } from '../shared/media-and-status-history-types.ts';

/** Texts of a category in one locale. */
export interface CategoryTranslation {
  readonly locale: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

interface CategoryDocument {
  readonly description: string;
  readonly translations: readonly CategoryTranslation[];
  readonly image?: MediaItem | undefined;
}

export interface Category extends CategoryDocument {
  readonly id: string;
  readonly businessId: string;
  /** Undefined for a top-level category. */
  readonly parentId?: string | undefined;
  /** The `category` of its products. */
  readonly slug: string;
  readonly name: string;
  /** Order among the categories with the same parent. */
  readonly position: number;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const blankDocument = {
  description: '',
  translations: [] as readonly CategoryTranslation[],
  image: undefined as MediaItem | undefined,
};

export const categoryTable = defineTable<Category, CategoryModel>('categories', 'cat', {
  id: 'fixed',
  businessId: 'fixed',
  parentId: 'column',
  slug: 'column',
  name: 'column',
  position: 'column',
  document: blankDocument,
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});

/** Levels of the tree; bounds the statements that follow it. */
export const maxCategoryDepth = 8;
/** Bounds the list in tree order, which reads all categories of a business. */
export const maxCategories = 5_000;
export const maxCategoryPosition = 1_000_000;
