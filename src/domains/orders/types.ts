/** GraphQL types of orders. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { BlockGraphqlType } from '../blocks/types.ts';
import { ShippingMethodGraphqlType } from '../businesses/types.ts';
import { billingAddressField, shippingAddressField } from '../shared/postal-address-graphql-types.ts';
import type { UserContactDetails } from '../users/people/load-contact-details.ts';
import { listOrderLinesWithProgress } from './fulfilment/fulfilment-progress-by-line.ts';
import {
  OrderStatusEntry,
  OrderStatusEnum,
  PaymentMethodEnum,
  PaymentStatusEntry,
  PaymentStatusEnum,
} from './graphql-enums.ts';
import { type Order, paymentMethods } from './model.ts';
import { computeAmountDue } from './payment/amount-due.ts';
import {
  loadOrderCustomer,
  loadOrderRefunds,
  loadOrderShippingMethod,
} from './read/load-referenced-records.ts';
import { OrderLineGraphqlType } from './read/order-line-graphql-type.ts';
import { RefundGraphqlType } from './refunds/types.ts';
import { allowedOrderTransitions, currentStatus, paymentTransitions } from './status-transitions.ts';

const CustomerGraphqlType = builder.objectRef<UserContactDetails>('Customer').implement({
  description: 'Customer of an order, as visible to the business.',
  fields: outputFields((t) => ({
    userId: t.exposeID('id', { description: 'Id of the user.' }),
    name: [
      'String!',
      'Current name in the profile; may be empty. Name, email address and phone numbers are hidden from staff until the customer orders themself.',
    ],
    email: ['String', 'Email address; null for guests.'],
    phoneNumbers: ['[String!]!', 'Current phone numbers in the profile, in international format.'],
    isGuest: ['Boolean!', 'Whether the customer is a guest, without an account.'],
  })),
});

export const OrderGraphqlType = builder.objectRef<Order>('Order').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'An order of a business.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the order.'],
    businessId: ['ID!', 'Id of the selling business.'],
    number: ['Int!', 'Order number, unique in the business, from 1001 without gaps.'],
    externalReference: [
      'String',
      'Id of an imported order in the system where it was placed; null for orders placed here.',
    ],
    customerId: ['ID', 'Id of the customer; null if the order has none.'],
    customer: t.field({
      type: CustomerGraphqlType,
      nullable: true,
      description: 'Customer; null if the order has none.',
      resolve: (order, _args, ctx) =>
        order.customerId ? loadOrderCustomer(ctx, order, order.customerId) : null,
    }),
    market: ['ID!', 'Code of the market.'],
    currency: ['String!', 'ISO 4217 code.'],
    lines: t.field({
      type: [OrderLineGraphqlType],
      description: 'Lines of the order.',
      resolve: (order) =>
        listOrderLinesWithProgress(order).map((line) => ({ currency: order.currency, ...line })),
    }),
    blocks: t.expose('blocks', { type: [BlockGraphqlType], description: 'Custom fields.' }),
    shippingAddress: t.expose('shippingAddress', shippingAddressField),
    billingAddress: t.expose('billingAddress', billingAddressField),
    contactEmail: ['String', 'Email address given at checkout; null if none was given.'],
    contactPhone: [
      'String',
      'Phone number given at checkout, in international format; null if none was given.',
    ],
    locale: [
      'String',
      'Locale of the customer, such as de-AT; determines the language of mails. Null: English.',
    ],
    subtotal: ['Money!', 'Sum of the lines, in minor units.'],
    tax: ['Money!', 'Tax on subtotal minus discount, in minor units.'],
    shipping: ['Money!', 'Price of shipping, in minor units.'],
    discount: ['Money!', 'Discount, in minor units.'],
    total: ['Money!', 'subtotal + tax + shipping - discount, in minor units.'],
    promoCode: ['String', 'Promo code used; null if none.'],
    shippingMethodId: ['ID', 'Id of the shipping method; null if none was chosen.'],
    shippingMethod: t.field({
      type: ShippingMethodGraphqlType,
      nullable: true,
      description: 'Current shipping method; null when none was chosen or it was deleted.',
      complexity: 5,
      resolve: ({ businessId, shippingMethodId }, _args, ctx) =>
        shippingMethodId ? loadOrderShippingMethod(ctx, `${businessId}/${shippingMethodId}`) : null,
    }),
    paymentMethod: ['String', 'Payment method at checkout; null for orders placed outside checkout.'],
    paidBy: t.field({
      type: PaymentMethodEnum,
      nullable: true,
      description: '`paymentMethod` as an enum.',
      resolve: ({ paymentMethod }) => paymentMethods.find((method) => method === paymentMethod) ?? null,
    }),
    statuses: t.expose('statuses', {
      type: [OrderStatusEntry],
      description: 'Status history; the last entry is current.',
    }),
    status: t.field({
      type: OrderStatusEnum,
      description: 'Current status.',
      resolve: (order) => currentStatus(order.statuses),
    }),
    allowedStatuses: t.field({
      type: [OrderStatusEnum],
      description: 'Statuses that `setOrderStatus` accepts next.',
      resolve: (order) => [...allowedOrderTransitions(order)[currentStatus(order.statuses)]],
    }),
    paymentStatus: t.expose('paymentStatus', {
      type: [PaymentStatusEntry],
      description: 'Payment status history; the last entry is current.',
    }),
    paymentStatuses: t.expose('paymentStatus', {
      type: [PaymentStatusEntry],
      description: 'Payment status history; the last entry is current.',
    }),
    currentPaymentStatus: t.field({
      type: PaymentStatusEnum,
      description: 'Current payment status: the last entry of `paymentStatuses`.',
      resolve: (order) => currentStatus(order.paymentStatus),
    }),
    allowedPaymentStatuses: t.field({
      type: [PaymentStatusEnum],
      description: 'Payment statuses that `setPaymentStatus` accepts next.',
      resolve: (order) => [...paymentTransitions[currentStatus(order.paymentStatus)]],
    }),
    captured: ['Money!', 'Amount captured by the payment provider, in minor units.'],
    refunded: ['Money!', 'Amount refunded by the payment provider, in minor units.'],
    amountDue: t.field({
      type: 'Money',
      description:
        'total - credits - (captured - refunded), in minor units: the amount that a payment link collects; negative when the customer has overpaid. Credits are refunds of units, of goodwill and those made at the payment provider, but not refunds of an overpayment. Never positive when the order is CANCELLED or REFUNDED; 0 when it was recorded as paid.',
      resolve: computeAmountDue,
    }),
    disputedAt: [
      'Timestamp',
      'When the customer disputed the payment with their bank; null if not disputed.',
    ],
    refunds: t.field({
      type: [RefundGraphqlType],
      description: 'Refunds, oldest first.',
      resolve: async (order, _args, ctx) => (await loadOrderRefunds(ctx, order.id)) ?? [],
    }),
    expiresAt: ['Timestamp', 'When the order is cancelled unless it is paid; null when it does not expire.'],
  })),
});

export const OrderConnection = createConnectionType('Order', OrderGraphqlType);
