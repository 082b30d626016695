/** GraphQL types of orders. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
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
  fields: (t) => ({
    userId: t.exposeID('id', { description: 'Id of the user.' }),
    name: t.exposeString('name', {
      description:
        'Current name in the profile; may be empty. Name, email address and phone numbers are hidden from staff until the customer orders themself.',
    }),
    email: t.exposeString('email', { nullable: true, description: 'Email address; null for guests.' }),
    phoneNumbers: t.exposeStringList('phoneNumbers', {
      description: 'Current phone numbers in the profile, in international format.',
    }),
    isGuest: t.exposeBoolean('isGuest', {
      description: 'Whether the customer is a guest, without an account.',
    }),
  }),
});

export const OrderGraphqlType = builder.objectRef<Order>('Order').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'An order of a business.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the order.' }),
    businessId: t.exposeID('businessId', { description: 'Id of the selling business.' }),
    number: t.exposeInt('number', {
      description: 'Order number, unique in the business, from 1001 without gaps.',
    }),
    externalReference: t.exposeString('externalReference', {
      nullable: true,
      description: 'Id of an imported order in the system where it was placed; null for orders placed here.',
    }),
    customerId: t.exposeID('customerId', {
      nullable: true,
      description: 'Id of the customer; null if the order has none.',
    }),
    customer: t.field({
      type: CustomerGraphqlType,
      nullable: true,
      description: 'Customer; null if the order has none.',
      resolve: (order, _args, ctx) =>
        order.customerId ? loadOrderCustomer(ctx, order, order.customerId) : null,
    }),
    market: t.exposeID('market', { description: 'Code of the market.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    lines: t.field({
      type: [OrderLineGraphqlType],
      description: 'Lines of the order.',
      resolve: (order) =>
        listOrderLinesWithProgress(order).map((line) => ({ currency: order.currency, ...line })),
    }),
    blocks: t.expose('blocks', { type: [BlockGraphqlType], description: 'Custom fields.' }),
    shippingAddress: t.expose('shippingAddress', shippingAddressField),
    billingAddress: t.expose('billingAddress', billingAddressField),
    contactEmail: t.exposeString('contactEmail', {
      nullable: true,
      description: 'Email address given at checkout; null if none was given.',
    }),
    contactPhone: t.exposeString('contactPhone', {
      nullable: true,
      description: 'Phone number given at checkout, in international format; null if none was given.',
    }),
    locale: t.exposeString('locale', {
      nullable: true,
      description: 'Locale of the customer, such as de-AT; determines the language of mails. Null: English.',
    }),
    subtotal: t.expose('subtotal', { type: 'Money', description: 'Sum of the lines, in minor units.' }),
    tax: t.expose('tax', { type: 'Money', description: 'Tax on subtotal minus discount, in minor units.' }),
    shipping: t.expose('shipping', { type: 'Money', description: 'Price of shipping, in minor units.' }),
    discount: t.expose('discount', { type: 'Money', description: 'Discount, in minor units.' }),
    total: t.expose('total', {
      type: 'Money',
      description: 'subtotal + tax + shipping - discount, in minor units.',
    }),
    promoCode: t.exposeString('promoCode', { nullable: true, description: 'Promo code used; null if none.' }),
    shippingMethodId: t.exposeID('shippingMethodId', {
      nullable: true,
      description: 'Id of the shipping method; null if none was chosen.',
    }),
    shippingMethod: t.field({
      type: ShippingMethodGraphqlType,
      nullable: true,
      description: 'Current shipping method; null when none was chosen or it was deleted.',
      complexity: 5,
      resolve: ({ businessId, shippingMethodId }, _args, ctx) =>
        shippingMethodId ? loadOrderShippingMethod(ctx, `${businessId}/${shippingMethodId}`) : null,
    }),
    paymentMethod: t.exposeString('paymentMethod', {
      nullable: true,
      description: 'Payment method at checkout; null for orders placed outside checkout.',
    }),
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
    captured: t.expose('captured', {
      type: 'Money',
      description: 'Amount captured by the payment provider, in minor units.',
    }),
    refunded: t.expose('refunded', {
      type: 'Money',
      description: 'Amount refunded by the payment provider, in minor units.',
    }),
    amountDue: t.field({
      type: 'Money',
      description:
        'total - credits - (captured - refunded), in minor units: the amount that a payment link collects; negative when the customer has overpaid. Credits are refunds of units, of goodwill and those made at the payment provider, but not refunds of an overpayment. Never positive when the order is CANCELLED or REFUNDED; 0 when it was recorded as paid.',
      resolve: computeAmountDue,
    }),
    disputedAt: t.expose('disputedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the customer disputed the payment with their bank; null if not disputed.',
    }),
    refunds: t.field({
      type: [RefundGraphqlType],
      description: 'Refunds, oldest first.',
      resolve: async (order, _args, ctx) => (await loadOrderRefunds(ctx, order.id)) ?? [],
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the order is cancelled unless it is paid; null when it does not expire.',
    }),
  }),
});

export const OrderConnection = createConnectionType('Order', OrderGraphqlType);
