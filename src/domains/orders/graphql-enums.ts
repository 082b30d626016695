/** GraphQL enums of orders: statuses of orders, payments and refunds, payment methods, line types. */
import { builder } from '../../graphql/schema/builder.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import type { refundStatuses } from '../payments/model.ts';
import { defineStatusEntryTypes } from '../shared/media-and-status-graphql-types.ts';
import type { orderLineTypes, paymentMethods } from './model.ts';
import type { orderStatuses, paymentStatuses } from './status-transitions.ts';

export const OrderStatusEnum = builder.enumType('OrderStatus', {
  description: 'Status of an order. CANCELLED and REFUNDED are final.',
  values: describedEnumValues<(typeof orderStatuses)[number]>({
    PENDING: 'Placed, not processed yet; usually waiting for payment.',
    PROCESSING: 'Paid or accepted by staff; ready to be shipped.',
    SHIPPED: 'All units have been shipped.',
    DELIVERED: 'All shipments have been delivered.',
    CANCELLED: 'Cancelled before shipping; its stock has been released.',
    REFUNDED: 'The captured amount has been refunded in full.',
  }),
});

export const PaymentStatusEnum = builder.enumType('PaymentStatus', {
  description: 'Status of the payment of an order.',
  values: describedEnumValues<(typeof paymentStatuses)[number]>({
    PENDING: 'Not paid yet.',
    PAID: 'Paid in full.',
    FAILED: 'The payment was declined or not made in time; the customer can try again.',
    PARTIALLY_REFUNDED: 'Part of the captured amount has been refunded.',
    REFUNDED: 'The captured amount has been refunded in full.',
  }),
});

export const PaymentMethodEnum = builder.enumType('PaymentMethod', {
  description: 'Payment method at checkout.',
  values: describedEnumValues<(typeof paymentMethods)[number]>({
    CREDIT_CARD: 'Card payment on the page that checkout opens. Default.',
    CARD_PROVIDER: 'Card payment as well, named after the payment provider of this deployment.',
    FREE: 'No payment; only for a total of 0.',
  }),
});

export const OrderLineTypeEnum = builder.enumType('OrderLineType', {
  description: 'Type of item that a line sells.',
  values: describedEnumValues<(typeof orderLineTypes)[number]>({
    PRODUCT_VARIANT: 'Units of a product variant.',
  }),
});

export const { entry: OrderStatusEntry, input: OrderStatusEntryInput } = defineStatusEntryTypes(
  'OrderStatusEntry',
  OrderStatusEnum,
);

export const { entry: PaymentStatusEntry, input: PaymentStatusEntryInput } = defineStatusEntryTypes(
  'PaymentStatusEntry',
  PaymentStatusEnum,
);

export const RefundStatusEnum = builder.enumType('RefundStatus', {
  description: 'Status of a refund. PENDING until the payment provider confirms or rejects it.',
  values: describedEnumValues<(typeof refundStatuses)[number]>({
    PENDING: 'Requested from the payment provider.',
    SUCCEEDED: 'The payment provider confirmed the refund.',
    FAILED: 'The payment provider rejected the refund; `retryRefund` tries it again.',
  }),
});
