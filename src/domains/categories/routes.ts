/** REST routes below `/v1/businesses/{businessId}/categories`. */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineDeleteRoute,
  defineListRoute,
  definePostRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const categories = '/v1/businesses/:businessId/categories';
const category = `${categories}/:id` as const;

export const routes = [
  definePostRoute(categories, operations.CreateCategoryDocument),
  defineListRoute(categories, operations.ListCategoriesDocument, {
    query: ['parentId', 'topLevel', 'locale'],
  }),
  defineCustomRoute('GET', category, operations.GetCategoryDocument, {
    query: ['locale'],
    recordName: 'Category',
  }),
  ...defineUpdateRoutes(category, operations.UpdateCategoryDocument),
  defineDeleteRoute(category, operations.DeleteCategoryDocument, { query: ['force'] }),
  defineListRoute(`${category}/products`, operations.ListCategoryProductsDocument, {
    query: ['includeSubcategories', 'status', 'query', 'sort'],
    filter: [
      'market',
      'minPrice',
      'maxPrice',
      'inStock',
      'attributes',
      'createdFrom',
      'createdTo',
      'updatedFrom',
      'updatedTo',
    ],
    recordName: 'Category',
  }),
];
