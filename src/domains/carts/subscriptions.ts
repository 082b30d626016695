/** Carts, as they change. */

import { ownerOrPermission } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { watchCart } from './read/watch-cart.ts';
import { CartType } from './types.ts';

builder.subscriptionFields((t) => ({
  cartChanged: t.field({
    type: CartType,
    description:
      'A cart as it is now, first at once and then whenever somebody changes it, on whichever device; priced anew each time. People watch their own; ORDERS_READ watches all of the business.',
    authScopes: ownerOrPermission('ORDERS_READ', 'Cart'),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id of the cart.' }),
    },
    subscribe: (_root, args, ctx) => watchCart(ctx, args),
    resolve: ({ value }) => value,
  }),
}));
