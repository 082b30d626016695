/** `/v1/businesses/{businessId}/products` */
import * as operations from '../../generated/operations.ts';
import { create, get, list, remove, update } from '../row.ts';

const products = '/v1/businesses/:businessId/products';
const product = `${products}/:id` as const;

export const rows = [
  create(products, operations.CreateProductDocument, { answer: 'createProduct.product' }),
  list(products, operations.ListProductsDocument, {
    query: ['category', 'categoryIds', 'status', 'query', 'ids', 'lowStock'],
    rename: { categoryIds: 'categories' },
    answer: 'products',
  }),
  get(product, operations.GetProductDocument, { answer: 'product', missing: 'Product' }),
  update(product, operations.UpdateProductDocument, { answer: 'updateProduct.product' }),
  remove(product, operations.DeleteProductDocument, { answer: 'deleteProduct' }),
  create(`${product}/stock`, operations.AdjustStockDocument, { answer: 'adjustStock.movement' }),
  list(`${product}/stock`, operations.ListStockMovementsDocument, { answer: 'stockMovements' }),
];
