/** Queries of orders. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { ownOr } from '../../graphql/scopes.ts';
import { refundListCheck } from './checks.ts';
import { orderFilterCheck } from './find-checks.ts';
import { OrderFilterInput, OrderSortEnum } from './find-inputs.ts';
import { findOrder } from './find-order.ts';
import { listOrders } from './list-orders.ts';
import { listRefunds } from './list-refunds.ts';
import { OrderStatusEnum, PaymentStatusEnum } from './status-types.ts';
import { OrderConnection, OrderType, RefundConnection } from './types.ts';

builder.queryFields((t) => ({
  order: t.field({
    type: OrderType,
    nullable: true,
    description: "One order. Customers find their own; ORDERS_READ finds all of the business's.",
    authScopes: ownOr('ORDERS_READ', 'Order'),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id of the order.' }),
    },
    resolve: (_root, args, ctx) => findOrder(ctx, args),
  }),
  orders: t.field({
    type: OrderConnection,
    description:
      "Orders of a business, newest first or as `sort` says: all of them with ORDERS_READ, otherwise the viewer's own.",
    authScopes: ownOr('ORDERS_READ'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      ...pageArgs,
      ids: t.arg.idList({ description: 'Only these.' }),
      status: t.arg({ type: OrderStatusEnum, description: 'Only this current status.' }),
      statuses: t.arg({ type: [OrderStatusEnum], description: 'Only these current statuses.' }),
      paymentStatus: t.arg({ type: PaymentStatusEnum, description: 'Only this current payment status.' }),
      customerId: t.arg.id({ description: 'Only orders of this user.' }),
      filter: t.arg({ type: OrderFilterInput, description: 'Only what fulfils all of this.' }),
      sort: t.arg({ type: OrderSortEnum, description: 'The order, NEWEST by default.' }),
    },
    ...checked(orderFilterCheck, (args, ctx) => listOrders(ctx, args)),
  }),
  refunds: t.field({
    type: RefundConnection,
    description: 'The refunds of an order, newest first, for whoever may see the order.',
    authScopes: ownOr('ORDERS_READ', 'Order'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id of the order.' }),
      ...pageArgs,
    },
    ...checked(refundListCheck, (args, ctx) => listRefunds(ctx, args)),
  }),
}));
