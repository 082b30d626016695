/** GraphQL subscription `orderChanged`. */
import { ownerOrPermissionScope, permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { watchOrders } from './read/watch-orders.ts';
import { OrderGraphqlType } from './types.ts';

const allOrders = permissionInBusinessScope('ORDERS_READ');
const oneOrder = ownerOrPermissionScope('ORDERS_READ', 'Order');

builder.subscriptionFields((t) => ({
  orderChanged: t.field({
    type: OrderGraphqlType,
    description:
      'Emits the current order on every change. With `id`, first emits the current state; customers can follow their own orders. Without `id`, emits all orders of the business including new ones; needs ORDERS_READ.',
    authScopes: (root, args) => (args.id ? oneOrder : allOrders)(root, args),
    args: fieldArgs({
      businessId: ['ID!', 'The business.'],
      id: ['ID', 'Id of the order. Default: all orders of the business.'],
    }),
    subscribe: (_root, args, ctx) => watchOrders(ctx, args),
    resolve: ({ value }) => value,
  }),
}));
