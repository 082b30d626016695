/** Orders, as they change. */
import { builder } from '../../graphql/builder.ts';
import { inBusiness, ownOr } from '../../graphql/scopes.ts';
import { OrderType } from './types.ts';
import { watchOrders } from './watch-orders.ts';

const allOrders = inBusiness('ORDERS_READ');
const oneOrder = ownOr('ORDERS_READ', 'Order');

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
