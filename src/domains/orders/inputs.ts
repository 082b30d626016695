/** GraphQL inputs of orders. Validation beyond types is in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { deprecatedField } from '../../graphql/schema/deprecations.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { PostalAddressInput } from '../shared/postal-address-graphql-types.ts';
import {
  OrderLineTypeEnum,
  OrderStatusEntryInput,
  OrderStatusEnum,
  PaymentStatusEntryInput,
} from './graphql-enums.ts';

export const CartLineInput = builder.inputType('CartLineInput', {
  description: 'An item to buy, at its catalogue price.',
  fields: (t) => ({
    type: t.field({
      type: OrderLineTypeEnum,
      description: 'Type of item. Default: PRODUCT_VARIANT.',
    }),
    productId: t.id({ required: true, description: 'Id of the product.' }),
    variantId: t.id({ required: true, description: 'Id of the variant.' }),
    quantity: t.int({ required: true, description: 'Number of units.' }),
  }),
});

const OrderLineInput = builder.inputType('OrderLineInput', {
  description: 'A line of a manual order.',
  fields: (t) => ({
    type: t.field({
      type: OrderLineTypeEnum,
      description: 'Type of item. Default: PRODUCT_VARIANT.',
    }),
    productId: t.id({ required: true, description: 'Id of the product.' }),
    variantId: t.id({ required: true, description: 'Id of the variant.' }),
    quantity: t.int({ required: true, description: 'Number of units.' }),
    unitPrice: t.field({
      type: 'Money',
      description: 'Price of one unit, in minor units. Default: the catalogue price in the market.',
    }),
    totalPrice: t.field({
      type: 'Money',
      description: 'Total of the line, in minor units. Must be quantity times unit price.',
    }),
  }),
});

type OrderFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const orderFields = (t: OrderFields) => ({
  customerId: t.id({
    description: 'Id of the customer: a customer or member of the business, or a guest without orders.',
  }),
  market: t.id({ description: 'Code of the market.' }),
  currency: t.string({
    description: 'ISO 4217 code, case-insensitive. Default: the currency of the market.',
  }),
  subtotal: t.field({ type: 'Money', description: 'In minor units. Must be the sum of the lines.' }),
  tax: t.field({ type: 'Money', description: 'In minor units. Default on create: 0.' }),
  shipping: t.field({
    type: 'Money',
    description: 'Price of shipping, in minor units. Default on create: 0.',
  }),
  discount: t.field({
    type: 'Money',
    description: 'Discount, in minor units, at most the subtotal. Default on create: 0.',
  }),
  total: t.field({
    type: 'Money',
    description: 'In minor units. Must be subtotal + tax + shipping - discount.',
  }),
  promoCode: t.string({
    description: 'Promo code, recorded only: it is not validated and its uses are not counted.',
  }),
  shippingMethodId: t.id({ description: 'Id of the shipping method.' }),
  blocks: t.field({ type: [BlockInput], description: 'Custom fields.' }),
  shippingAddress: t.field({
    type: PostalAddressInput,
    description: 'Address that the goods are shipped to.',
  }),
  billingAddress: t.field({
    type: PostalAddressInput,
    description: 'Billing address. Default: the shipping address.',
  }),
  contactEmail: t.string({
    description:
      'Email address for mails to a customer without a confirmed account. Another address revokes the order links.',
  }),
  contactPhone: t.string({ description: 'Phone number of the customer, in international form.' }),
  locale: t.string({
    description: 'Locale of the customer, such as de-AT; determines the language of mails.',
  }),
  statuses: t.field({
    type: [OrderStatusEntryInput],
    description: 'Statuses to append to the history. Default on create: PENDING.',
  }),
  status: t.field({ type: OrderStatusEnum, description: 'Shorthand for `statuses` with a single entry.' }),
  paymentStatus: t.field({
    type: [PaymentStatusEntryInput],
    description: 'Payment statuses to append to the history. Default on create: PENDING.',
  }),
});

export const CreateOrderInput = builder.inputType('CreateOrderInput', {
  description: 'An order placed outside checkout.',
  fields: (t) => ({
    lines: t.field({ type: [OrderLineInput], required: true, description: 'Lines, 1 to 500.' }),
    ...orderFields(t),
  }),
});

export const UpdateOrderInput = builder.inputType('UpdateOrderInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    lines: t.field({
      type: [OrderLineInput],
      description: 'Replaces all lines. Rejected once units are shipped or refunded.',
    }),
    ...orderFields(t),
  }),
});

const RefundLineInput = builder.inputType('RefundLineInput', {
  description: 'Units of a line to refund.',
  fields: (t) => ({
    line: t.int({ required: true, description: 'Index of the line in the order, from 0.' }),
    quantity: t.int({ required: true, description: 'Number of units.' }),
  }),
});

const RefundSumInput = builder.inputType('RefundSumInput', {
  description: 'An amount, independent of the price of the lines.',
  fields: (t) => ({
    amount: t.field({ type: 'Money', required: true, description: 'Amount in minor units.' }),
    lines: t.field({
      type: [RefundLineInput],
      description: 'Units that the amount is for; required with `restock`.',
    }),
  }),
});

const RefundOfInput = builder.inputType('RefundOfInput', {
  description: 'What to refund; set exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    rest: t.boolean({ description: 'True: the entire refundable amount.' }),
    lines: t.field({
      type: [RefundLineInput],
      description: 'Units, at the price paid including discount and tax.',
    }),
    sum: t.field({ type: RefundSumInput, description: 'A fixed amount.' }),
  }),
});

export const RefundInput = builder.inputType('RefundInput', {
  description: 'What to refund. Without `of`, `lines` and `amount`: the entire refundable amount.',
  fields: (t) => ({
    of: t.field({
      type: RefundOfInput,
      description: 'What to refund. Default: the entire refundable amount.',
    }),
    lines: t.field({
      ...deprecatedField('RefundInput.lines'),
      type: [RefundLineInput],
      description: 'Units to refund, at the price paid including discount and tax.',
    }),
    amount: t.field({
      ...deprecatedField('RefundInput.amount'),
      type: 'Money',
      description: 'Amount in minor units, instead of the price of the lines.',
    }),
    restock: t.boolean({
      description:
        'Whether the units return to stock; with an amount, its units must be named. Default: false.',
    }),
    reason: t.string({ description: 'Reason for the refund, up to 500 characters.' }),
  }),
});

export const PaymentLinkInput = builder.inputType('PaymentLinkInput', {
  description: 'Redirects from the payment page.',
  fields: (t) => ({
    returnUrl: t.string({
      description: 'Redirect after payment, on an allowed origin. Default: the page of the gateway.',
    }),
    cancelUrl: t.string({
      description:
        'Redirect when the customer cancels, on an allowed origin. Default: the page of the gateway.',
    }),
  }),
});
