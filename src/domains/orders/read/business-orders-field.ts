/** GraphQL field `Business.orders`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../../graphql/schema/connection-types.ts';
import { BusinessGraphqlType } from '../../businesses/types.ts';
import { OrderConnection } from '../types.ts';
import { listBusinessOrders } from './list-business-and-user-orders.ts';

builder.objectField(BusinessGraphqlType, 'orders', (t) =>
  t.field({
    type: OrderConnection,
    nullable: true,
    description: 'All orders of the business, newest first. Needs ORDERS_READ.',
    complexity: estimateListCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => listBusinessOrders(ctx, id, args),
  }),
);
