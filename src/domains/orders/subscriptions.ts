/** Orders, as they change. */

import { ownerOrPermission, permissionInBusiness } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { watchOrders } from './read/watch-orders.ts';
import { OrderType } from './types.ts';

const allOrders = permissionInBusiness('ORDERS_READ');
const oneOrder = ownerOrPermission('ORDERS_READ', 'Order');

builder.subscriptionFields((t) => ({
  orderChanged: t.field({
    type: OrderType,
    description:
      'An order as it is now, whenever it changes: its status, its payment, anything of it. A single order is first sent as it is now; customers watch their own. All orders of a business, new ones too, need ORDERS_READ.',
    authScopes: (root, args) => (args.id ? oneOrder : allOrders)(root, args),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ description: 'Only this order.' }),
    },
    subscribe: (_root, args, ctx) => watchOrders(ctx, args),
    resolve: ({ value }) => value,
  }),
}));
