/** REST routes under `/v1/businesses/{businessId}/products`, and facets, highlights and suggestions. */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const products = '/v1/businesses/:businessId/products';
const product = `${products}/:id` as const;

const productQuery = [
  'category',
  'categoryIds',
  'includeSubcategories',
  'status',
  'query',
  'ids',
  'lowStock',
] as const;
/** Query parameters that map to fields of the GraphQL variable `$filter`. */
const productFilter = [
  'market',
  'minPrice',
  'maxPrice',
  'inStock',
  'attributes',
  'createdFrom',
  'createdTo',
  'updatedFrom',
  'updatedTo',
] as const;

export const routes = [
  definePostRoute(products, operations.CreateProductDocument),
  defineListRoute(products, operations.ListProductsDocument, {
    query: [...productQuery, 'sort'],
    filter: productFilter,
    queryAliases: { categoryIds: 'categories' },
  }),
  defineGetRoute(product, operations.GetProductDocument, { recordName: 'Product' }),
  ...defineUpdateRoutes(product, operations.UpdateProductDocument),
  defineDeleteRoute(product, operations.DeleteProductDocument),
  definePostRoute(`${product}/stock`, operations.AdjustStockDocument),
  defineListRoute(`${product}/stock`, operations.ListStockMovementsDocument),
  defineCustomRoute('GET', '/v1/businesses/:businessId/product-facets', operations.ProductFacetsDocument, {
    query: productQuery,
    filter: productFilter,
    queryAliases: { categoryIds: 'categories' },
  }),
  defineCustomRoute(
    'GET',
    '/v1/businesses/:businessId/product-highlights',
    operations.ProductHighlightsDocument,
    {
      query: ['limit', 'cursor', ...productQuery, 'sort'],
      filter: productFilter,
      queryAliases: { limit: 'first', cursor: 'after', categoryIds: 'categories' },
      response: { value: 'products.highlights', as: 'highlights' },
    },
  ),
  defineCustomRoute('GET', '/v1/businesses/:businessId/product-suggestions', operations.SuggestDocument, {
    query: ['text', 'limit'],
    queryAliases: { limit: 'first' },
    response: { value: 'suggestions', as: 'suggestions' },
  }),
];
