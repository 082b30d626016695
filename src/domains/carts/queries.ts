/** GraphQL queries of carts. */
import { ownerOrPermissionScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { findCart, findOwnCart } from './read/find-cart.ts';
import { CartGraphqlType } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  return {
    myCart: t.field({
      type: CartGraphqlType,
      nullable: true,
      description: "The viewer's own cart in a business; null without one.",
      authScopes: { account: true },
      args: { businessId },
      resolve: (_root, args, ctx) => findOwnCart(ctx, args),
    }),
    cart: t.field({
      type: CartGraphqlType,
      nullable: true,
      description:
        'Cart by id; `myCart` needs none. Customers can read their own; ORDERS_READ allows all of the business. Null when it does not exist or is not readable.',
      authScopes: ownerOrPermissionScope('ORDERS_READ', 'Cart'),
      args: fieldArgs({ businessId, id: ['ID!', 'Id of the cart.'] }),
      resolve: (_root, args, ctx) => findCart(ctx, args),
    }),
  };
});
