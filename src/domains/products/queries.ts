/** GraphQL queries of products. */

import { permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../graphql/schema/connection.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findProduct } from './read/find-product.ts';
import { listProducts } from './read/list-products.ts';
import { stockMovementsSchema } from './schemas.ts';
import { ProductFilterInput, ProductSortEnum } from './search/inputs.ts';
import { productListSchema, suggestionsSchema } from './search/schemas.ts';
import { loadSuggestions } from './search/suggestions.ts';
import { SuggestionType } from './search/types.ts';
import { listStockMovements } from './stock/list-stock-movements.ts';
import { StockMovementConnection } from './stock/types.ts';
import { ProductConnection, ProductStatusEnum, ProductType } from './types.ts';

builder.queryFields((t) => ({
  product: t.field({
    type: ProductType,
    nullable: true,
    description:
      'Product by id, slug or `<businessId>:<locale>:<slug>`. Former slugs work, too. Null when it does not exist or the viewer may not read it.',
    authScopes: { signedIn: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'Id of the business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or `<businessId>:<locale>:<slug>`.' }),
    },
    resolve: (_root, args, ctx) => findProduct(ctx, args),
  }),
  stockMovements: t.field({
    type: StockMovementConnection,
    description: 'Stock movements of a product, newest first. Requires PRODUCTS_WRITE.',
    authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Product'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'Id of the business.' }),
      id: t.arg.id({ required: true, description: 'Id or slug of the product.' }),
      ...pageArgs,
    },
    ...validatedField(stockMovementsSchema, (args, ctx) => listStockMovements(ctx, args)),
  }),
  products: t.field({
    type: ProductConnection,
    description:
      'Products of a business, newest first unless `sort` is given. Drafts and archived products are visible to staff only.',
    authScopes: { signedIn: true },
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'Id of the business.' }),
      ...pageArgs,
      ids: t.arg.idList({ description: 'Only products with one of these ids; at most 100.' }),
      category: t.arg.string({ description: 'Only products in this category.' }),
      categories: t.arg.stringList({ description: 'Only products in one of these categories; at most 100.' }),
      status: t.arg({ type: ProductStatusEnum, description: 'Only products with this current status.' }),
      query: t.arg.string({ description: 'Alias of `search`.' }),
      search: t.arg.string({
        description:
          'Full-text search in name, description, category and SKU. Matches prefixes and inflected words, and mistyped words in the name.',
      }),
      filter: t.arg({
        type: ProductFilterInput,
        description: 'Filter; combined with the other arguments by AND.',
      }),
      sort: t.arg({ type: ProductSortEnum, description: 'Sort order. Default: NEWEST.' }),
      lowStock: t.arg.boolean({
        description:
          'Only products with a variant at or below its low-stock threshold. Requires PRODUCTS_WRITE.',
      }),
    },
    ...validatedField(productListSchema, (args, ctx) => listProducts(ctx, args)),
  }),
  suggestions: t.field({
    type: [SuggestionType],
    description:
      'Suggestions for a partially typed search: categories and products with the text as a prefix, then products that match it.',
    authScopes: { signedIn: true },
    complexity: 20,
    args: {
      businessId: t.arg.id({ required: true, description: 'Id of the business.' }),
      text: t.arg.string({ required: true, description: 'Text typed so far, up to 200 characters.' }),
      first: t.arg.int({ description: 'Maximum number of suggestions. Default: 8, maximum: 20.' }),
    },
    ...validatedField(suggestionsSchema, (args, ctx) => loadSuggestions(ctx, args)),
  }),
}));
