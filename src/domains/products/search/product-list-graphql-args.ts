/** GraphQL arguments of product lists, of the query `products` and of `Business.products`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { ProductStatusEnum } from '../types.ts';
import { ProductFilterInput, ProductSortEnum } from './inputs.ts';

export const productListArgs = builder.args((t) => ({
  ids: t.idList({ description: 'Only products with one of these ids; at most 100.' }),
  category: t.string({ description: 'Only products in this category, by slug or id.' }),
  categories: t.stringList({
    description: 'Only products in one of these categories, by slug or id; at most 100.',
  }),
  includeSubcategories: t.boolean({
    description: 'Whether the filters by category include all sub-categories. Default: false.',
  }),
  status: t.field({ type: ProductStatusEnum, description: 'Only products with this current status.' }),
  query: t.string({ description: 'Alias of `search`.' }),
  search: t.string({
    description:
      'Full-text search in name, description, category and SKU. Matches prefixes and inflected words, and mistyped words in the name.',
  }),
  filter: t.field({
    type: ProductFilterInput,
    description: 'Filter; combined with the other arguments by AND.',
  }),
  sort: t.field({ type: ProductSortEnum, description: 'Sort order. Default: NEWEST.' }),
  lowStock: t.boolean({
    description: 'Only products with a variant at or below its low-stock threshold. Requires PRODUCTS_WRITE.',
  }),
}));
