/** Carts, as they change. */
import { builder } from '../../graphql/builder.ts';
import { ownOr } from '../../graphql/scopes.ts';
import { CartType } from './types.ts';
import { watchCart } from './watch-cart.ts';

builder.subscriptionFields((t) => ({
  cartChanged: t.field({
    type: CartType,
    description:
      'A cart as it is now, first at once and then whenever somebody changes it, on whichever device; priced anew each time. People watch their own; ORDERS_READ watches all of the business.',
    authScopes: ownOr('ORDERS_READ', 'Cart'),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id of the cart.' }),
    },
    subscribe: (_root, args, ctx) => watchCart(ctx, args),
    resolve: ({ value }) => value,
  }),
}));
