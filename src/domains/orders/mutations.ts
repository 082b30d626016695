/** Mutations of orders. */

import {
  ownerOrPermission,
  permissionInBusiness,
  permissionOnRecord,
} from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createPayloadType } from '../../graphql/schema/type-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { OrderStatusEntryInput, PaymentStatusEntryInput } from './enums.ts';
import { CreateOrderInput, PaymentLinkInput, RefundInput, UpdateOrderInput } from './inputs.ts';
import { createOrder } from './manage/create-order.ts';
import { setOrderStatus, setPaymentStatus } from './manage/set-status.ts';
import { updateOrder } from './manage/update-order.ts';
import { createPaymentLink, type PaymentLink } from './payment/create-payment-link.ts';
import { type OrderRefundResult, refundOrder, retryOrderRefund } from './refunds/refund-order.ts';
import {
  createOrderSchema,
  createPaymentLinkSchema,
  refundOrderSchema,
  retryRefundSchema,
  setOrderStatusSchema,
  setPaymentStatusSchema,
  updateOrderSchema,
} from './schemas.ts';
import { OrderType, RefundType } from './types.ts';

const OrderPayload = createPayloadType('OrderPayload', 'order', OrderType);

const RefundPayload = builder.objectRef<OrderRefundResult>('RefundPayload').implement({
  description: 'The refund, and the order as it is now.',
  fields: (t) => ({
    order: t.expose('order', { type: OrderType, description: 'As it is after the refund.' }),
    refund: t.expose('refund', {
      type: RefundType,
      description: 'The refund; an order that was paid in parts has one for each part, see its refunds.',
    }),
  }),
});

const PaymentLinkPayload = builder.objectRef<PaymentLink>('PaymentLinkPayload').implement({
  description: 'Where to pay what is due.',
  fields: (t) => ({
    orderId: t.exposeID('orderId', { description: 'Id of the order.' }),
    orderNumber: t.exposeInt('orderNumber', {
      description: 'Its number in the business: what people call it by.',
    }),
    checkoutUrl: t.exposeString('checkoutUrl', { description: 'Send the customer here to pay.' }),
  }),
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the order.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  const refund = t.arg.boolean({
    description: 'Whether an order that comes to CANCELLED sends its money back. Default: yes.',
  });
  return {
    createOrder: t.field({
      type: OrderPayload,
      description: 'Records an order made outside checkout; stock falls. Needs ORDERS_WRITE.',
      authScopes: permissionInBusiness('ORDERS_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: CreateOrderInput, required: true, description: 'The order.' }),
      },
      ...validatedField(createOrderSchema, async (args, ctx) => ({
        order: await createOrder(ctx, args),
      })),
    }),
    updateOrder: t.field({
      type: OrderPayload,
      description: 'Changes the fields that are given; changed lines move stock. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        version,
        refund,
        input: t.arg({ type: UpdateOrderInput, required: true, description: 'The changes.' }),
      },
      ...validatedField(updateOrderSchema, async (args, ctx) => ({
        order: await updateOrder(ctx, args),
      })),
    }),
    setOrderStatus: t.field({
      type: OrderPayload,
      description: 'Moves the status of an order; cancelling returns stock and money. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        version,
        refund,
        input: t.arg({ type: OrderStatusEntryInput, required: true, description: 'The status.' }),
      },
      ...validatedField(setOrderStatusSchema, async (args, ctx) => ({
        order: await setOrderStatus(ctx, args),
      })),
    }),
    setPaymentStatus: t.field({
      type: OrderPayload,
      description: 'Records a payment status; no money moves. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: PaymentStatusEntryInput, required: true, description: 'The payment status.' }),
      },
      ...validatedField(setPaymentStatusSchema, async (args, ctx) => ({
        order: await setPaymentStatus(ctx, args),
      })),
    }),
    refundOrder: t.field({
      type: RefundPayload,
      description:
        'Sends money back through the payment provider, never more than it has taken. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        input: t.arg({ type: RefundInput, required: true, description: 'What to refund.' }),
      },
      ...validatedField(refundOrderSchema, (args, ctx) => refundOrder(ctx, args)),
    }),
    retryRefund: t.field({
      type: RefundPayload,
      description: 'Tries a refund again that has FAILED. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        refundId: t.arg.id({ required: true, description: 'Id of the refund.' }),
      },
      ...validatedField(retryRefundSchema, (args, ctx) => retryOrderRefund(ctx, args)),
    }),
    createPaymentLink: t.field({
      type: PaymentLinkPayload,
      description:
        'Opens a page to pay what is due of an order, or finds the one that is open. For its customer, and for ORDERS_WRITE.',
      authScopes: ownerOrPermission('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        input: t.arg({ type: PaymentLinkInput, required: true, description: 'Where to go from there.' }),
      },
      ...validatedField(createPaymentLinkSchema, (args, ctx) => createPaymentLink(ctx, args)),
    }),
  };
});
