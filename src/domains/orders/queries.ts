/** GraphQL queries of orders and refunds. */
import { ownerOrPermissionScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { OrderStatusEnum, PaymentStatusEnum } from './graphql-enums.ts';
import { OrderFilterInput, OrderSortEnum } from './read/filter-inputs.ts';
import { listOrdersSchema } from './read/filter-schemas.ts';
import { findOrder } from './read/find-order.ts';
import { listOrders } from './read/list-orders.ts';
import { listOrderRefunds } from './refunds/list-refunds.ts';
import { RefundConnection } from './refunds/types.ts';
import { listRefundsSchema } from './schemas.ts';
import { OrderConnection, OrderGraphqlType } from './types.ts';

builder.queryFields((t) => ({
  order: t.field({
    type: OrderGraphqlType,
    nullable: true,
    description: "One order: the viewer's own, or any of the business with ORDERS_READ. Null if not found.",
    authScopes: ownerOrPermissionScope('ORDERS_READ', 'Order'),
    args: fieldArgs({ businessId: ['ID!', 'The business.'], id: ['ID!', 'Id of the order.'] }),
    resolve: (_root, args, ctx) => findOrder(ctx, args),
  }),
  orders: t.field({
    type: OrderConnection,
    description: "Orders of a business: all with ORDERS_READ, otherwise the viewer's own.",
    authScopes: ownerOrPermissionScope('ORDERS_READ'),
    complexity: estimateListCost,
    args: fieldArgs({
      businessId: ['ID!', 'The business.'],
      ...pageArgs,
      ids: ['[ID!]', 'Only orders with these ids, at most 100.'],
      status: [OrderStatusEnum, 'Only orders with this current status.'],
      statuses: [[OrderStatusEnum], 'Only orders with one of these current statuses.'],
      paymentStatus: [PaymentStatusEnum, 'Only orders with this current payment status.'],
      customerId: ['ID', 'Only orders of this user.'],
      filter: [OrderFilterInput, 'Further conditions, combined with AND.'],
      sort: [OrderSortEnum, 'Sort order. Default: NEWEST.'],
    }),
    ...validatedField(listOrdersSchema, listOrders),
  }),
  refunds: t.field({
    type: RefundConnection,
    description: 'Refunds of an order, newest first, for viewers who may see the order.',
    authScopes: ownerOrPermissionScope('ORDERS_READ', 'Order'),
    complexity: estimateListCost,
    args: fieldArgs({ businessId: ['ID!', 'The business.'], id: ['ID!', 'Id of the order.'], ...pageArgs }),
    ...validatedField(listRefundsSchema, listOrderRefunds),
  }),
}));
