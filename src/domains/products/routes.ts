/** `/v1/businesses/{businessId}/products` */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const products = '/v1/businesses/:businessId/products';
const product = `${products}/:id` as const;

const productQuery = ['category', 'categoryIds', 'status', 'query', 'ids', 'lowStock'] as const;
/** What is part of `$filter`. */
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
  postRoute(products, operations.CreateProductDocument, { answer: 'createProduct.product' }),
  listRoute(products, operations.ListProductsDocument, {
    query: [...productQuery, 'sort'],
    filter: productFilter,
    rename: { categoryIds: 'categories' },
    answer: 'products',
  }),
  getRoute(product, operations.GetProductDocument, { answer: 'product', missing: 'Product' }),
  putRoute(product, operations.UpdateProductDocument, { answer: 'updateProduct.product' }),
  deleteRoute(product, operations.DeleteProductDocument, { answer: 'deleteProduct' }),
  postRoute(`${product}/stock`, operations.AdjustStockDocument, { answer: 'adjustStock.movement' }),
  listRoute(`${product}/stock`, operations.ListStockMovementsDocument, { answer: 'stockMovements' }),
  customRoute('GET', '/v1/businesses/:businessId/product-facets', operations.ProductFacetsDocument, {
    query: productQuery,
    filter: productFilter,
    rename: { categoryIds: 'categories' },
    answer: 'products.facets',
  }),
  customRoute('GET', '/v1/businesses/:businessId/product-highlights', operations.ProductHighlightsDocument, {
    query: ['limit', 'cursor', ...productQuery, 'sort'],
    filter: productFilter,
    rename: { limit: 'first', cursor: 'after', categoryIds: 'categories' },
    answer: { value: 'products.highlights', as: 'highlights' },
  }),
  customRoute('GET', '/v1/businesses/:businessId/product-suggestions', operations.SuggestDocument, {
    query: ['text', 'limit'],
    rename: { limit: 'first' },
    answer: { value: 'suggestions', as: 'suggestions' },
  }),
];
