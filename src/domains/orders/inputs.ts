/** GraphQL inputs of orders. Rules beyond types are in checks.ts. */

import { builder } from '../../graphql/schema/builder.ts';
import { deprecatedField } from '../../graphql/schema/deprecations.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { PostalAddressInput } from '../shared/postal-address-types.ts';
import {
  OrderLineTypeEnum,
  OrderStatusEntryInput,
  OrderStatusEnum,
  PaymentStatusEntryInput,
} from './enums.ts';

export const CartLineInput = builder.inputType('CartLineInput', {
  description: 'Something to buy. Its price is the one of the catalogue.',
  fields: (t) => ({
    type: t.field({ type: OrderLineTypeEnum, description: 'What the line sells.' }),
    productId: t.id({ required: true, description: 'Id of the product.' }),
    variantId: t.id({ required: true, description: 'Id of the variant.' }),
    quantity: t.int({ required: true, description: 'Pieces.' }),
  }),
});

const OrderLineInput = builder.inputType('OrderLineInput', {
  description: 'A line of a manual order.',
  fields: (t) => ({
    type: t.field({ type: OrderLineTypeEnum, description: 'What the line sells.' }),
    productId: t.id({ required: true, description: 'Id of the product.' }),
    variantId: t.id({ required: true, description: 'Id of the variant.' }),
    quantity: t.int({ required: true, description: 'Pieces.' }),
    unitPrice: t.field({
      type: 'Money',
      description: 'Price of one piece. Default: the price in the market.',
    }),
    totalPrice: t.field({ type: 'Money', description: 'Must be quantity times unit price.' }),
  }),
});

type OrderFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const orderFields = (t: OrderFields) => ({
  customerId: t.id({ description: 'The user who ordered.' }),
  market: t.id({ description: 'Code of the market.' }),
  currency: t.string({ description: 'ISO 4217 code, in any case. Default: the currency of the market.' }),
  subtotal: t.field({ type: 'Money', description: 'Must be the sum of the lines.' }),
  tax: t.field({ type: 'Money', description: 'In minor units; 0 when absent from a new order.' }),
  shipping: t.field({ type: 'Money', description: 'Price of shipping.' }),
  discount: t.field({
    type: 'Money',
    description: 'What is taken off, in minor units; 0 when absent from a new order.',
  }),
  total: t.field({ type: 'Money', description: 'Must be subtotal + tax + shipping - discount.' }),
  promoCode: t.string({ description: 'A note of the promo code used; it is not claimed.' }),
  shippingMethodId: t.id({ description: 'How it is shipped.' }),
  blocks: t.field({ type: [BlockInput], description: 'Custom fields.' }),
  shippingAddress: t.field({ type: PostalAddressInput, description: 'Where it goes.' }),
  billingAddress: t.field({
    type: PostalAddressInput,
    description: 'Who is billed. Absent: the same as where it goes.',
  }),
  locale: t.string({ description: 'What the customer reads, such as de-AT: mails are written in it.' }),
  statuses: t.field({
    type: [OrderStatusEntryInput],
    description: 'Statuses to append to the history. Default on create: PENDING.',
  }),
  status: t.field({ type: OrderStatusEnum, description: 'Shorthand for a history of one entry.' }),
  paymentStatus: t.field({
    type: [PaymentStatusEntryInput],
    description: 'Payment statuses to append to the history. Default on create: PENDING.',
  }),
});

export const CreateOrderInput = builder.inputType('CreateOrderInput', {
  description: 'An order made outside checkout.',
  fields: (t) => ({
    lines: t.field({ type: [OrderLineInput], required: true, description: 'What was ordered.' }),
    ...orderFields(t),
  }),
});

export const UpdateOrderInput = builder.inputType('UpdateOrderInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    lines: t.field({ type: [OrderLineInput], description: 'All lines, until the order is shipped.' }),
    ...orderFields(t),
  }),
});

const RefundLineInput = builder.inputType('RefundLineInput', {
  description: 'Units of a line to be refunded.',
  fields: (t) => ({
    line: t.int({ required: true, description: 'Position of the line in the order, from 0.' }),
    quantity: t.int({ required: true, description: 'Pieces.' }),
  }),
});

const RefundSumInput = builder.inputType('RefundSumInput', {
  description: 'An amount, whatever the lines make.',
  fields: (t) => ({
    amount: t.field({ type: 'Money', required: true, description: 'How much.' }),
    lines: t.field({ type: [RefundLineInput], description: 'The units it is for; needed to restock them.' }),
  }),
});

const RefundOfInput = builder.inputType('RefundOfInput', {
  description: 'What goes back: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    rest: t.boolean({ description: 'True: all that is left.' }),
    lines: t.field({
      type: [RefundLineInput],
      description: 'Units, at what was paid for them with discount and tax.',
    }),
    sum: t.field({ type: RefundSumInput, description: 'An amount.' }),
  }),
});

export const RefundInput = builder.inputType('RefundInput', {
  description: 'What to refund. With none of `of`, lines and amount: all that is left.',
  fields: (t) => ({
    of: t.field({ type: RefundOfInput, description: 'What goes back. Absent: all that is left.' }),
    lines: t.field({
      ...deprecatedField('RefundInput.lines'),
      type: [RefundLineInput],
      description: 'Units to refund, at what was paid for them with discount and tax.',
    }),
    amount: t.field({
      ...deprecatedField('RefundInput.amount'),
      type: 'Money',
      description: 'How much, instead of what the lines make.',
    }),
    restock: t.boolean({
      description: 'Whether the units go back to stock; with an amount, name the lines. Default: no.',
    }),
    reason: t.string({ description: 'Why.' }),
  }),
});

export const PaymentLinkInput = builder.inputType('PaymentLinkInput', {
  description: 'Where the customer goes from the payment page.',
  fields: (t) => ({
    returnUrl: t.string({ description: 'Where to go after paying, on an allowed origin.' }),
    cancelUrl: t.string({ description: 'Where to go without paying, on an allowed origin.' }),
  }),
});
