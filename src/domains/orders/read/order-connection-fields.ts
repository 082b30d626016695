/** The ways from a business and from a person to their orders. */
import { builder } from '../../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../../graphql/schema/connection.ts';
import { BusinessType } from '../../businesses/types.ts';
import { UserType } from '../../users/types.ts';
import { OrderConnection } from '../types.ts';
import { listBusinessOrders, listUserOrders } from './list-business-and-user-orders.ts';

builder.objectField(BusinessType, 'orders', (t) =>
  t.field({
    type: OrderConnection,
    nullable: true,
    description: 'All its orders, newest first. Needs ORDERS_READ.',
    complexity: listCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => listBusinessOrders(ctx, id, args),
  }),
);

builder.objectField(UserType, 'orders', (t) =>
  t.field({
    type: OrderConnection,
    nullable: true,
    description:
      'What they have ordered, from any business, newest first. Only the user themselves may read it.',
    complexity: listCost,
    args: pageArgs,
    resolve: (user, args, ctx) => listUserOrders(ctx, user, args),
  }),
);
