/** GraphQL types of orders. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { BlockObject } from '../blocks/types.ts';
import { ShippingMethodType } from '../businesses/types.ts';
import type { Refund } from '../payments/model.ts';
import type { AppliedStep } from '../pricing/price-breakdown.ts';
import { AppliedType } from '../pricing/price-breakdown-types.ts';
import { ProductType, VariantType } from '../products/types.ts';
import { billingAddressField, shippingAddressField } from '../shared/postal-address-types.ts';
import type { ContactDetails } from '../users/people/contact-details.ts';
import {
  OrderLineTypeEnum,
  OrderStatusEntry,
  OrderStatusEnum,
  PaymentMethodEnum,
  PaymentStatusEntry,
  PaymentStatusEnum,
  RefundStatusEnum,
} from './enums.ts';
import { allowedOrderTransitions, type LineProgress, withLineProgress } from './fulfilment/line-progress.ts';
import { type Order, type OrderLine, paymentMethods } from './model.ts';
import { amountDue } from './payment/amount-due.ts';
import {
  loadOrderCustomer,
  loadOrderProduct,
  loadOrderRefunds,
  loadOrderShippingMethod,
} from './read/loaders.ts';
import { currentStatus, paymentTransitions } from './status-transitions.ts';

export const OrderLineType = builder
  .objectRef<OrderLine & { progress?: LineProgress; applied?: AppliedStep[] }>('OrderLine')
  .implement({
    description: 'One line of an order or quote, with what it sold as it was at that moment.',
    fields: (t) => ({
      type: t.expose('type', { type: OrderLineTypeEnum, description: 'What the line sells.' }),
      productId: t.exposeID('productId', { description: 'Id of the product.' }),
      variantId: t.exposeID('variantId', { description: 'Id of the variant.' }),
      name: t.exposeString('name', { description: 'Name of the product when it was sold.' }),
      variantName: t.exposeString('variantName', {
        nullable: true,
        description: 'Name of the variant when it was sold.',
      }),
      sku: t.exposeString('sku', { nullable: true, description: 'SKU when it was sold.' }),
      quantity: t.exposeInt('quantity', { description: 'Pieces.' }),
      unitPrice: t.expose('unitPrice', { type: 'Money', description: 'Price of one piece.' }),
      totalPrice: t.expose('totalPrice', { type: 'Money', description: 'Price of all pieces.' }),
      discount: t.expose('discount', { type: 'Money', description: "The line's share of the discount." }),
      tax: t.expose('tax', { type: 'Money', description: "The line's share of the tax." }),
      taxBps: t.exposeInt('taxBps', {
        nullable: true,
        description: 'What its category is taxed with; null when it is taxed as everything else.',
      }),
      applied: t.expose('applied', {
        type: [AppliedType],
        nullable: true,
        description: 'What made it cost that, step by step. Of quotes; null in orders.',
      }),
      refundedQuantity: t.int({
        description: 'Pieces whose money went back.',
        resolve: (line) => line.refunded ?? 0,
      }),
      product: t.field({
        type: ProductType,
        nullable: true,
        description: 'The product as it is now; null when it is gone or not visible.',
        resolve: (line, _args, ctx) => loadOrderProduct(ctx, line.productId),
      }),
      variant: t.field({
        type: VariantType,
        nullable: true,
        description: 'The variant as it is now; null when it is gone or not visible.',
        resolve: async (line, _args, ctx) =>
          (await loadOrderProduct(ctx, line.productId))?.variants.find(({ id }) => id === line.variantId),
      }),
    }),
  });

const CustomerType = builder.objectRef<ContactDetails>('Customer').implement({
  description: 'Who ordered, as the business sees them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the user.' }),
    name: t.exposeString('name', { description: 'As in their profile today; may be empty.' }),
    email: t.exposeString('email', { nullable: true, description: 'Email; guests have none.' }),
    phoneNumbers: t.exposeStringList('phoneNumbers', {
      description: 'As in their profile today, in international form.',
    }),
    isGuest: t.exposeBoolean('isGuest', { description: 'Whether they ordered without an account.' }),
  }),
});

export const RefundType = builder.objectRef<Refund>('Refund').implement({
  description: 'Money that goes back to the customer.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the refund.' }),
    amount: t.expose('amount', { type: 'Money', description: 'How much.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    status: t.expose('status', { type: RefundStatusEnum, description: 'How far it got.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why.' }),
    restock: t.exposeBoolean('restock', { description: 'Whether the goods went back to stock.' }),
    failure: t.exposeString('failure', {
      nullable: true,
      description: 'Why the payment provider could not send it; it can be tried again.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was asked for.' }),
    settledAt: t.expose('settledAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the provider confirmed or refused it.',
    }),
  }),
});

export const OrderType = builder.objectRef<Order>('Order').implement({
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'An order of a business.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the order.' }),
    businessId: t.exposeID('businessId', { description: 'The business that sells.' }),
    number: t.exposeInt('number', {
      description: 'Its number in the business, from 1001, without gaps: what people call it by.',
    }),
    customerId: t.exposeID('customerId', { nullable: true, description: 'The user who ordered.' }),
    customer: t.field({
      type: CustomerType,
      nullable: true,
      description: 'Who ordered.',
      resolve: (order, _args, ctx) => (order.customerId ? loadOrderCustomer(ctx, order.customerId) : null),
    }),
    market: t.exposeID('market', { description: 'Code of the market.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    lines: t.field({ type: [OrderLineType], description: 'What was ordered.', resolve: withLineProgress }),
    blocks: t.expose('blocks', { type: [BlockObject], description: 'Custom fields.' }),
    shippingAddress: t.expose('shippingAddress', shippingAddressField),
    billingAddress: t.expose('billingAddress', billingAddressField),
    locale: t.exposeString('locale', {
      nullable: true,
      description: 'What its customer reads, such as de-AT: mails are written in it, or in English.',
    }),
    subtotal: t.expose('subtotal', { type: 'Money', description: 'Sum of the lines.' }),
    tax: t.expose('tax', { type: 'Money', description: 'Tax on subtotal minus discount.' }),
    shipping: t.expose('shipping', { type: 'Money', description: 'Price of shipping.' }),
    discount: t.expose('discount', { type: 'Money', description: 'What the promo code took off.' }),
    total: t.expose('total', { type: 'Money', description: 'subtotal + tax + shipping - discount.' }),
    promoCode: t.exposeString('promoCode', { nullable: true, description: 'The promo code used.' }),
    shippingMethodId: t.exposeID('shippingMethodId', { nullable: true, description: 'How it is shipped.' }),
    shippingMethod: t.field({
      type: ShippingMethodType,
      nullable: true,
      description: 'How it is shipped, as the business has it now; null when that is gone.',
      complexity: 5,
      resolve: ({ businessId, shippingMethodId }, _args, ctx) =>
        shippingMethodId ? loadOrderShippingMethod(ctx, `${businessId}/${shippingMethodId}`) : null,
    }),
    paymentMethod: t.exposeString('paymentMethod', { nullable: true, description: 'How it is paid.' }),
    paidBy: t.field({
      type: PaymentMethodEnum,
      nullable: true,
      description: 'The same as `paymentMethod`, as an enum.',
      resolve: ({ paymentMethod }) => paymentMethods.find((known) => known === paymentMethod) ?? null,
    }),
    statuses: t.expose('statuses', {
      type: [OrderStatusEntry],
      description: 'History of its status; the last entry is current.',
    }),
    status: t.field({
      type: OrderStatusEnum,
      description: 'Current status.',
      resolve: (order) => currentStatus(order.statuses),
    }),
    allowedStatuses: t.field({
      type: [OrderStatusEnum],
      description: 'The statuses that may follow.',
      resolve: (order) => [...allowedOrderTransitions(order)[currentStatus(order.statuses)]],
    }),
    paymentStatus: t.expose('paymentStatus', {
      type: [PaymentStatusEntry],
      description: 'History of its payment; the last entry is current.',
    }),
    paymentStatuses: t.expose('paymentStatus', {
      type: [PaymentStatusEntry],
      description: 'The same as `paymentStatus`, under a name that goes with `statuses`.',
    }),
    currentPaymentStatus: t.field({
      type: PaymentStatusEnum,
      description: 'The last of `paymentStatuses`.',
      resolve: (order) => currentStatus(order.paymentStatus),
    }),
    allowedPaymentStatuses: t.field({
      type: [PaymentStatusEnum],
      description: 'The payment statuses that may follow.',
      resolve: (order) => [...paymentTransitions[currentStatus(order.paymentStatus)]],
    }),
    captured: t.expose('captured', { type: 'Money', description: 'What the payment provider has taken.' }),
    refunded: t.expose('refunded', { type: 'Money', description: 'What of it went back.' }),
    amountDue: t.field({
      type: 'Money',
      description:
        'total - captured + refunded: what a payment link collects or, when it is negative, a refund gives back. 0 when the order is over.',
      resolve: amountDue,
    }),
    disputedAt: t.expose('disputedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the customer disputed the payment with their bank.',
    }),
    refunds: t.field({
      type: [RefundType],
      description: 'The refunds, oldest first.',
      resolve: async (order, _args, ctx) => (await loadOrderRefunds(ctx, order.id)) ?? [],
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When an unpaid checkout is cancelled.',
    }),
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it back to guard an update.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const OrderConnection = createConnectionType('Order', OrderType);
export const RefundConnection = createConnectionType('Refund', RefundType);

/** GraphQL: where an order comes from. */

builder.objectField(OrderType, 'externalReference', (t) =>
  t.exposeString('externalReference', {
    nullable: true,
    description: 'What it was known by where it was placed; null when that was here.',
  }),
);
