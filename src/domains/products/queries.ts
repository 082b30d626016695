/** Catalogue queries. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { onRecord } from '../../graphql/scopes.ts';
import { movementFilterCheck, productFilterCheck } from './checks.ts';
import { findProduct } from './find-product.ts';
import { stockMovements } from './list-movements.ts';
import { listProducts } from './list-products.ts';
import { StockMovementConnection } from './stock-types.ts';
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
    authScopes: onRecord('PRODUCTS_WRITE', 'Product'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id or slug of the product.' }),
      ...pageArgs,
    },
    ...checked(movementFilterCheck, (args, ctx) => stockMovements(ctx, args)),
  }),
  products: t.field({
    type: ProductConnection,
    description: 'Products of a business, newest first. Drafts are visible to staff only.',
    authScopes: { signedIn: true },
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      ...pageArgs,
      ids: t.arg.idList({ description: 'Only these.' }),
      category: t.arg.string({ description: 'Only this category.' }),
      categories: t.arg.stringList({ description: 'Only these categories.' }),
      status: t.arg({ type: ProductStatusEnum, description: 'Only this current status.' }),
      query: t.arg.string({ description: 'Full text search in name, description, category and SKU.' }),
      lowStock: t.arg.boolean({
        description: 'Only products with a variant at or below its threshold. Needs PRODUCTS_WRITE.',
      }),
    },
    ...checked(productFilterCheck, (args, ctx) => listProducts(ctx, args)),
  }),
}));
