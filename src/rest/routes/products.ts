/** `/v1/businesses/{businessId}/products` */
import {
  CreateProductDocument,
  DeleteProductDocument,
  GetProductDocument,
  ListProductsDocument,
  UpdateProductDocument,
} from '../../generated/operations.ts';
import { list, pageVariables, paging, row } from '../row.ts';

const products = '/v1/businesses/:businessId/products';
const product = `${products}/:id`;

export const productRows = [
  row('POST', products, CreateProductDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createProduct.product,
  }),
  row('GET', products, ListProductsDocument, {
    query: {
      ...paging,
      category: 'string',
      categoryIds: 'strings',
      status: 'string',
      query: 'string',
      ids: 'strings',
      lowStock: 'boolean',
    },
    variables: (request) => {
      const { category, categoryIds, status, query, ids, lowStock } = request.query;
      return {
        ...request.path,
        ...pageVariables(request),
        category,
        categories: categoryIds,
        status,
        query,
        ids,
        lowStock,
      };
    },
    body: (data) => list(data.products),
  }),
  row('GET', product, GetProductDocument, {
    variables: ({ path }) => path,
    body: (data) => data.product,
    missing: 'Product',
  }),
  row('PUT', product, UpdateProductDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updateProduct.product,
  }),
  row('DELETE', product, DeleteProductDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.deleteProduct,
  }),
];
