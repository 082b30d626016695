/** Queries of orders. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { orderFilterCheck, refundListCheck } from './checks.ts';
import { findOrder, listOrders } from './find-order.ts';
import { listRefunds } from './list-refunds.ts';
import { OrderConnection, OrderStatusEnum, OrderType, PaymentStatusEnum, RefundConnection } from './types.ts';

builder.queryFields((t) => ({
  order: t.field({
    type: OrderType,
    nullable: true,
    description: "One order. Customers find their own; ORDERS_READ finds all of the business's.",
    authScopes: { signedIn: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id of the order.' }),
    },
    resolve: (_root, args, ctx) => findOrder(ctx, args),
  }),
  orders: t.field({
    type: OrderConnection,
    description:
      "Orders of a business, newest first: all of them with ORDERS_READ, otherwise the viewer's own.",
    authScopes: { signedIn: true },
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      ...pageArgs,
      ids: t.arg.idList({ description: 'Only these.' }),
      status: t.arg({ type: OrderStatusEnum, description: 'Only this current status.' }),
      statuses: t.arg({ type: [OrderStatusEnum], description: 'Only these current statuses.' }),
      paymentStatus: t.arg({ type: PaymentStatusEnum, description: 'Only this current payment status.' }),
      customerId: t.arg.id({ description: 'Only orders of this user.' }),
    },
    ...checked(orderFilterCheck, (args, ctx) => listOrders(ctx, args)),
  }),
  refunds: t.field({
    type: RefundConnection,
    description: 'The refunds of an order, newest first, for whoever may see the order.',
    authScopes: { signedIn: true },
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id of the order.' }),
      ...pageArgs,
    },
    ...checked(refundListCheck, (args, ctx) => listRefunds(ctx, args)),
  }),
}));
