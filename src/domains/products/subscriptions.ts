/** Stock, as it changes. */
import { builder } from '../../graphql/schema/builder.ts';
import { watchStock } from './stock/watch-stock.ts';
import { StockLevelType } from './types.ts';

builder.subscriptionFields((t) => ({
  stockChanged: t.field({
    type: StockLevelType,
    description:
      'The stock of a variant, whenever it changes; of a single product, first as it is now. For whoever may read the product.',
    authScopes: { signedIn: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      productId: t.arg.id({ description: 'Only this product, by id, slug or slug triple.' }),
    },
    subscribe: (_root, args, ctx) => watchStock(ctx, args),
    resolve: ({ value }) => value,
  }),
}));
