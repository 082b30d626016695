/** GraphQL queries of products. */
import { permissionOnRecordScope, storefrontScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findProduct } from './read/find-product.ts';
import { listProducts } from './read/list-products.ts';
import { listStockMovementsSchema } from './schemas.ts';
import { productListArgs } from './search/product-list-graphql-args.ts';
import { listProductsSchema, searchSuggestionsSchema } from './search/schemas.ts';
import { loadSearchSuggestions } from './search/suggestions.ts';
import { SuggestionGraphqlType } from './search/types.ts';
import { listStockMovements } from './stock/list-stock-movements.ts';
import { StockMovementConnection } from './stock/types.ts';
import { ProductConnection, ProductGraphqlType } from './types.ts';

builder.queryFields((t) => ({
  product: t.field({
    type: ProductGraphqlType,
    nullable: true,
    description:
      'Product by id, slug or `<businessId>:<locale>:<slug>`. Former slugs work, too. Null when it does not exist or the viewer may not read it.',
    authScopes: storefrontScope,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      id: ['ID!', 'Id, slug or `<businessId>:<locale>:<slug>`.'],
    }),
    resolve: (_root, args, ctx) => findProduct(ctx, args),
  }),
  stockMovements: t.field({
    type: StockMovementConnection,
    description: 'Stock movements of a product, newest first. Requires PRODUCTS_WRITE.',
    authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Product'),
    complexity: estimateListCost,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      id: ['ID!', 'Id or slug of the product.'],
      ...pageArgs,
    }),
    ...validatedField(listStockMovementsSchema, listStockMovements),
  }),
  products: t.field({
    type: ProductConnection,
    description:
      'Products of a business, newest first unless `sort` is given. Drafts and archived products are visible to staff only.',
    authScopes: storefrontScope,
    complexity: estimateListCost,
    args: fieldArgs({ businessId: ['ID!', 'Id of the business.'], ...pageArgs, ...productListArgs }),
    ...validatedField(listProductsSchema, listProducts),
  }),
  suggestions: t.field({
    type: [SuggestionGraphqlType],
    description:
      'Suggestions for a partially typed search: categories and products with the text as a prefix, then products that match it.',
    authScopes: storefrontScope,
    complexity: 20,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      text: ['String!', 'Text typed so far, up to 200 characters.'],
      first: ['Int', 'Maximum number of suggestions. Default: 8, maximum: 20.'],
    }),
    ...validatedField(searchSuggestionsSchema, loadSearchSuggestions),
  }),
}));
