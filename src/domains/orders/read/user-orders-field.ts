/** GraphQL field `User.orders`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../../graphql/schema/connection-types.ts';
import { UserGraphqlType } from '../../users/types.ts';
import { OrderConnection } from '../types.ts';
import { listUserOrders } from './list-business-and-user-orders.ts';

builder.objectField(UserGraphqlType, 'orders', (t) =>
  t.field({
    type: OrderConnection,
    nullable: true,
    description: 'Orders of the user in all businesses, newest first. Only the user themself may read it.',
    complexity: estimateListCost,
    args: pageArgs,
    resolve: (user, args, ctx) => listUserOrders(ctx, user, args),
  }),
);
