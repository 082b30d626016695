/** GraphQL subscriptions of products. */
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { watchStock } from './stock/watch-stock.ts';
import { StockLevelGraphqlType } from './types.ts';

builder.subscriptionFields((t) => ({
  stockChanged: t.field({
    type: StockLevelGraphqlType,
    description:
      'Stock of a variant after each change. With `productId` the current stock of each variant is sent first. Covers the products that the viewer may read.',
    authScopes: { signedIn: true },
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      productId: [
        'ID',
        'Only this product: id, slug or `<businessId>:<locale>:<slug>`. Default: all products.',
      ],
    }),
    subscribe: (_root, args, ctx) => watchStock(ctx, args),
    resolve: ({ value }) => value,
  }),
}));
