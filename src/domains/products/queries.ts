/** Catalogue queries. */

import { permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
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
    description: 'One product by id, slug or `<businessId>:<locale>:<slug>`.',
    authScopes: { signedIn: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or slug triple.' }),
    },
    resolve: (_root, args, ctx) => findProduct(ctx, args),
  }),
  stockMovements: t.field({
    type: StockMovementConnection,
    description: 'What happened to the stock of a product, newest first. Needs PRODUCTS_WRITE.',
    authScopes: permissionOnRecord('PRODUCTS_WRITE', 'Product'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id or slug of the product.' }),
      ...pageArgs,
    },
    ...validatedField(stockMovementsSchema, (args, ctx) => listStockMovements(ctx, args)),
  }),
  products: t.field({
    type: ProductConnection,
    description: 'Products of a business, newest first or as `sort` says. Drafts are visible to staff only.',
    authScopes: { signedIn: true },
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      ...pageArgs,
      ids: t.arg.idList({ description: 'Only these.' }),
      category: t.arg.string({ description: 'Only this category.' }),
      categories: t.arg.stringList({ description: 'Only these categories.' }),
      status: t.arg({ type: ProductStatusEnum, description: 'Only this current status.' }),
      query: t.arg.string({ description: 'The same as `search`.' }),
      search: t.arg.string({
        description:
          'Search in name, description, category and SKU. Words may be begun, inflected, or mistyped in the name.',
      }),
      filter: t.arg({ type: ProductFilterInput, description: 'Only what fulfils all of this.' }),
      sort: t.arg({ type: ProductSortEnum, description: 'The order, NEWEST by default.' }),
      lowStock: t.arg.boolean({
        description: 'Only products with a variant at or below its threshold. Needs PRODUCTS_WRITE.',
      }),
    },
    ...validatedField(productListSchema, (args, ctx) => listProducts(ctx, args)),
  }),
  suggestions: t.field({
    type: [SuggestionType],
    description:
      'What somebody who types may be looking for: categories and products that begin with the text, then products that it finds.',
    authScopes: { signedIn: true },
    complexity: 20,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      text: t.arg.string({ required: true, description: 'What has been typed so far.' }),
      first: t.arg.int({ description: 'How many, 8 by default, at most 20.' }),
    },
    ...validatedField(suggestionsSchema, (args, ctx) => loadSuggestions(ctx, args)),
  }),
}));
