/** `/v1/businesses/{businessId}/products` */
import * as operations from '../../generated/operations.ts';
import { act, create, get, list, remove, update } from '../../rest/row.ts';

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
  create(products, operations.CreateProductDocument, { answer: 'createProduct.product' }),
  list(products, operations.ListProductsDocument, {
    query: [...productQuery, 'sort'],
    filter: productFilter,
    rename: { categoryIds: 'categories' },
    answer: 'products',
  }),
  get(product, operations.GetProductDocument, { answer: 'product', missing: 'Product' }),
  update(product, operations.UpdateProductDocument, { answer: 'updateProduct.product' }),
  remove(product, operations.DeleteProductDocument, { answer: 'deleteProduct' }),
  create(`${product}/stock`, operations.AdjustStockDocument, { answer: 'adjustStock.movement' }),
  list(`${product}/stock`, operations.ListStockMovementsDocument, { answer: 'stockMovements' }),
  act('GET', '/v1/businesses/:businessId/product-facets', operations.ProductFacetsDocument, {
    query: productQuery,
    filter: productFilter,
    rename: { categoryIds: 'categories' },
    answer: 'products.facets',
  }),
  act('GET', '/v1/businesses/:businessId/product-highlights', operations.ProductHighlightsDocument, {
    query: ['limit', 'cursor', ...productQuery, 'sort'],
    filter: productFilter,
    rename: { limit: 'first', cursor: 'after', categoryIds: 'categories' },
    answer: { value: 'products.highlights', as: 'highlights' },
  }),
  act('GET', '/v1/businesses/:businessId/product-suggestions', operations.SuggestDocument, {
    query: ['text', 'limit'],
    rename: { limit: 'first' },
    answer: { value: 'suggestions', as: 'suggestions' },
  }),
];
