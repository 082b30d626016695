/** GraphQL subscriptions of carts. */
import { ownerOrPermissionScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { watchCart } from './read/watch-cart.ts';
import { CartGraphqlType } from './types.ts';

builder.subscriptionFields((t) => ({
  cartChanged: t.field({
    type: CartGraphqlType,
    description:
      'The cart immediately and after each change on any device, with current prices. Customers can watch their own; ORDERS_READ allows all of the business.',
    authScopes: ownerOrPermissionScope('ORDERS_READ', 'Cart'),
    args: fieldArgs({ businessId: ['ID!', 'Id of the business.'], id: ['ID!', 'Id of the cart.'] }),
    subscribe: (_root, args, ctx) => watchCart(ctx, args),
    resolve: ({ value }) => value,
  }),
}));
