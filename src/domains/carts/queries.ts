/** Queries of carts. */

import { ownerOrPermission } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { findCart, findOwnCart } from './read/find-cart.ts';
import { CartType } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    myCart: t.field({
      type: CartType,
      nullable: true,
      description: "The viewer's own cart in a business; null when there is none.",
      authScopes: { account: true },
      args: { businessId },
      resolve: (_root, args, ctx) => findOwnCart(ctx, args),
    }),
    cart: t.field({
      type: CartType,
      nullable: true,
      description: "One cart. People find their own; ORDERS_READ finds all of the business's.",
      authScopes: ownerOrPermission('ORDERS_READ', 'Cart'),
      args: { businessId, id: t.arg.id({ required: true, description: 'Id of the cart.' }) },
      resolve: (_root, args, ctx) => findCart(ctx, args),
    }),
  };
});
