/** GraphQL fields `Business.orders` and `User.orders`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../../graphql/schema/connection.ts';
import { BusinessObject } from '../../businesses/types.ts';
import { UserObject } from '../../users/types.ts';
import { OrderConnection } from '../types.ts';
import { listBusinessOrders, listUserOrders } from './list-business-and-user-orders.ts';

builder.objectField(BusinessObject, 'orders', (t) =>
  t.field({
    type: OrderConnection,
    nullable: true,
    description: 'All orders of the business, newest first. Needs ORDERS_READ.',
    complexity: estimateListCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => listBusinessOrders(ctx, id, args),
  }),
);

builder.objectField(UserObject, 'orders', (t) =>
  t.field({
    type: OrderConnection,
    nullable: true,
    description: 'Orders of the user in all businesses, newest first. Only the user themself may read it.',
    complexity: estimateListCost,
    args: pageArgs,
    resolve: (user, args, ctx) => listUserOrders(ctx, user, args),
  }),
);
