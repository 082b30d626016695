/** GraphQL mutations of orders, refunds and payment links. */
import {
  ownerOrPermissionScope,
  permissionInBusinessScope,
  permissionOnRecordScope,
} from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg, outputFields } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { OrderStatusEntryInput, PaymentStatusEntryInput } from './graphql-enums.ts';
import { CreateOrderInput, PaymentLinkInput, RefundInput, UpdateOrderInput } from './inputs.ts';
import { createOrder } from './manage/create-order.ts';
import { setOrderStatus, setPaymentStatus } from './manage/set-order-and-payment-status.ts';
import { updateOrder } from './manage/update-order.ts';
import { createPaymentLink, type PaymentLink } from './payment/create-payment-link.ts';
import { type OrderRefundResult, refundOrder, retryOrderRefund } from './refunds/refund-order.ts';
import { RefundGraphqlType } from './refunds/types.ts';
import {
  createOrderSchema,
  createPaymentLinkSchema,
  refundOrderSchema,
  retryRefundSchema,
  setOrderStatusSchema,
  setPaymentStatusSchema,
  updateOrderSchema,
} from './schemas.ts';
import { OrderGraphqlType } from './types.ts';

export const OrderPayload = createPayloadType('OrderPayload', 'order', OrderGraphqlType);

const RefundPayload = builder.objectRef<OrderRefundResult>('RefundPayload').implement({
  description: 'The refund and the updated order.',
  fields: (t) => ({
    order: t.expose('order', { type: OrderGraphqlType, description: 'The order after the refund.' }),
    refund: t.expose('refund', {
      type: RefundGraphqlType,
      description:
        'The refund. An order with several payments has one refund per payment, see `order.refunds`.',
    }),
  }),
});

const PaymentLinkPayload = builder.objectRef<PaymentLink>('PaymentLinkPayload').implement({
  description: 'Payment page for the amount due.',
  fields: outputFields({
    orderId: ['ID!', 'Id of the order.'],
    orderNumber: ['Int!', 'Number shown to the customer, sequential in the business.'],
    checkoutUrl: ['String!', 'URL of the payment page; redirect the customer to it.'],
  }),
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the order.' });
  const version = t.arg.int({
    description: 'Expected current version; otherwise the mutation fails with PRECONDITION_FAILED.',
  });
  const refund = t.arg.boolean({
    description: 'Whether a change to CANCELLED refunds the payments. Default: true.',
  });
  return {
    createOrder: t.field({
      type: OrderPayload,
      description:
        'Creates an order placed outside checkout and takes its units from stock. Needs ORDERS_WRITE.',
      authScopes: permissionInBusinessScope('ORDERS_WRITE'),
      args: { businessId, ...inputArg(CreateOrderInput, 'The order.') },
      ...validatedField(createOrderSchema, asPayload('order', createOrder)),
    }),
    updateOrder: t.field({
      type: OrderPayload,
      description: 'Changes the fields in the input; changed lines move stock. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, version, refund, ...inputArg(UpdateOrderInput, 'The changes.') },
      ...validatedField(updateOrderSchema, asPayload('order', updateOrder)),
    }),
    setOrderStatus: t.field({
      type: OrderPayload,
      description:
        'Changes the status of an order; CANCELLED releases its stock and refunds its payments. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, version, refund, ...inputArg(OrderStatusEntryInput, 'The new status.') },
      ...validatedField(setOrderStatusSchema, asPayload('order', setOrderStatus)),
    }),
    setPaymentStatus: t.field({
      type: OrderPayload,
      description: 'Records a payment status; no money moves. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, version, ...inputArg(PaymentStatusEntryInput, 'The payment status.') },
      ...validatedField(setPaymentStatusSchema, asPayload('order', setPaymentStatus)),
    }),
    refundOrder: t.field({
      type: RefundPayload,
      description: 'Refunds through the payment provider, at most the captured amount. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, ...inputArg(RefundInput, 'What to refund.') },
      ...validatedField(refundOrderSchema, refundOrder),
    }),
    retryRefund: t.field({
      type: RefundPayload,
      description: 'Retries a FAILED refund, if its amount is still refundable. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: fieldArgs({ businessId, id, refundId: ['ID!', 'Id of the refund.'] }),
      ...validatedField(retryRefundSchema, retryOrderRefund),
    }),
    createPaymentLink: t.field({
      type: PaymentLinkPayload,
      description:
        'Opens a payment page for the amount due, or returns the open one. For the customer of the order, or with ORDERS_WRITE.',
      authScopes: ownerOrPermissionScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, ...inputArg(PaymentLinkInput, 'Redirects from the payment page.') },
      ...validatedField(createPaymentLinkSchema, createPaymentLink),
    }),
  };
});
