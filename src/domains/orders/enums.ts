/** Where orders, payments and refunds stand, and what lines sell: enums with what each value means. */
import { builder } from '../../graphql/schema/builder.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import type { refundStatuses } from '../payments/model.ts';
import { defineStatusEntryTypes } from '../shared/types.ts';
import type { lineTypes, paymentMethods } from './model.ts';
import type { orderStatuses, paymentStatuses } from './status-transitions.ts';

export const OrderStatusEnum = builder.enumType('OrderStatus', {
  description: 'Where an order stands. CANCELLED and REFUNDED are final.',
  values: enumValues<(typeof orderStatuses)[number]>({
    PENDING: 'Placed, and nothing is done yet: most wait for their payment.',
    PROCESSING: 'Paid, or taken on by staff: to be shipped.',
    SHIPPED: 'All that there is to ship is on its way.',
    DELIVERED: 'All of it has arrived.',
    CANCELLED: 'Called off before it was shipped; its stock is free again.',
    REFUNDED: 'All money went back.',
  }),
});

export const PaymentStatusEnum = builder.enumType('PaymentStatus', {
  description: 'Where the payment of an order stands.',
  values: enumValues<(typeof paymentStatuses)[number]>({
    PENDING: 'Nothing was paid yet.',
    PAID: 'Paid in full.',
    FAILED: 'The payment was declined or never came; it can be tried again.',
    PARTIALLY_REFUNDED: 'Some of the money went back.',
    REFUNDED: 'All of it went back.',
  }),
});

export const PaymentMethodEnum = builder.enumType('PaymentMethod', {
  description: 'How customers pay.',
  values: enumValues<(typeof paymentMethods)[number]>({
    CREDIT_CARD: 'By card, on the page that checkout opens. The default.',
    CARD_PROVIDER: 'The same, by the name that the deployment has for its provider.',
    FREE: 'Nothing is due: only for a total of zero.',
  }),
});

export const OrderLineTypeEnum = builder.enumType('OrderLineType', {
  description: 'What a line sells.',
  values: enumValues<(typeof lineTypes)[number]>({
    PRODUCT_VARIANT: 'Pieces of a variant of a product.',
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
  description: 'PENDING until the payment provider has confirmed it.',
  values: enumValues<(typeof refundStatuses)[number]>({
    PENDING: 'The payment provider was asked.',
    SUCCEEDED: 'The provider has sent the money.',
    FAILED: 'The provider could not; `retryRefund` asks again.',
  }),
});
