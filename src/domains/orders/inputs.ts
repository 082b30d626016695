/** GraphQL inputs of orders. Validation beyond types is in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { deprecatedField } from '../../graphql/schema/deprecations.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
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
  fields: inputFields({
    type: [OrderLineTypeEnum, 'Type of item. Default: PRODUCT_VARIANT.'],
    productId: ['ID!', 'Id of the product.'],
    variantId: ['ID!', 'Id of the variant.'],
    quantity: ['Int!', 'Number of units.'],
  }),
});

const OrderLineInput = builder.inputType('OrderLineInput', {
  description: 'A line of a manual order.',
  fields: inputFields({
    type: [OrderLineTypeEnum, 'Type of item. Default: PRODUCT_VARIANT.'],
    productId: ['ID!', 'Id of the product.'],
    variantId: ['ID!', 'Id of the variant.'],
    quantity: ['Int!', 'Number of units.'],
    unitPrice: ['Money', 'Price of one unit, in minor units. Default: the catalogue price in the market.'],
    totalPrice: ['Money', 'Total of the line, in minor units. Must be quantity times unit price.'],
  }),
});

const orderFields = {
  customerId: ['ID', 'Id of the customer: a customer or member of the business, or a guest without orders.'],
  market: ['ID', 'Code of the market.'],
  currency: ['String', 'ISO 4217 code, case-insensitive. Default: the currency of the market.'],
  subtotal: ['Money', 'In minor units. Must be the sum of the lines.'],
  tax: ['Money', 'In minor units. Default on create: 0.'],
  shipping: ['Money', 'Price of shipping, in minor units. Default on create: 0.'],
  discount: ['Money', 'Discount, in minor units, at most the subtotal. Default on create: 0.'],
  total: ['Money', 'In minor units. Must be subtotal + tax + shipping - discount.'],
  promoCode: ['String', 'Promo code, recorded only: it is not validated and its uses are not counted.'],
  shippingMethodId: ['ID', 'Id of the shipping method.'],
  blocks: [[BlockInput], 'Custom fields.'],
  shippingAddress: [PostalAddressInput, 'Address that the goods are shipped to.'],
  billingAddress: [PostalAddressInput, 'Billing address. Default: the shipping address.'],
  contactEmail: [
    'String',
    'Email address for mails to a customer without a confirmed account. Another address revokes the order links.',
  ],
  contactPhone: ['String', 'Phone number of the customer, in international form.'],
  locale: ['String', 'Locale of the customer, such as de-AT; determines the language of mails.'],
  statuses: [[OrderStatusEntryInput], 'Statuses to append to the history. Default on create: PENDING.'],
  status: [OrderStatusEnum, 'Shorthand for `statuses` with a single entry.'],
  paymentStatus: [
    [PaymentStatusEntryInput],
    'Payment statuses to append to the history. Default on create: PENDING.',
  ],
} as const;

export const CreateOrderInput = builder.inputType('CreateOrderInput', {
  description: 'An order placed outside checkout.',
  fields: inputFields((t) => ({
    lines: t.field({ type: [OrderLineInput], required: true, description: 'Lines, 1 to 500.' }),
    ...orderFields,
  })),
});

export const UpdateOrderInput = builder.inputType('UpdateOrderInput', {
  description: 'The fields to change.',
  fields: inputFields({
    lines: [[OrderLineInput], 'Replaces all lines. Rejected once units are shipped or refunded.'],
    ...orderFields,
  }),
});

const RefundLineInput = builder.inputType('RefundLineInput', {
  description: 'Units of a line to refund.',
  fields: inputFields({
    line: ['Int!', 'Index of the line in the order, from 0.'],
    quantity: ['Int!', 'Number of units.'],
  }),
});

const RefundSumInput = builder.inputType('RefundSumInput', {
  description: 'An amount, independent of the price of the lines.',
  fields: inputFields({
    amount: ['Money!', 'Amount in minor units.'],
    lines: [[RefundLineInput], 'Units that the amount is for; required with `restock`.'],
  }),
});

const RefundOfInput = builder.inputType('RefundOfInput', {
  description: 'What to refund; set exactly one field.',
  isOneOf: true,
  fields: inputFields({
    rest: ['Boolean', 'True: the entire refundable amount.'],
    lines: [[RefundLineInput], 'Units, at the price paid including discount and tax.'],
    sum: [RefundSumInput, 'A fixed amount.'],
  }),
});

export const RefundInput = builder.inputType('RefundInput', {
  description: 'What to refund. Without `of`, `lines` and `amount`: the entire refundable amount.',
  fields: inputFields((t) => ({
    of: [RefundOfInput, 'What to refund. Default: the entire refundable amount.'],
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
    restock: [
      'Boolean',
      'Whether the units return to stock; with an amount, its units must be named. Default: false.',
    ],
    reason: ['String', 'Reason for the refund, up to 500 characters.'],
  })),
});

export const PaymentLinkInput = builder.inputType('PaymentLinkInput', {
  description: 'Redirects from the payment page.',
  fields: inputFields({
    returnUrl: ['String', 'Redirect after payment, on an allowed origin. Default: the page of the gateway.'],
    cancelUrl: [
      'String',
      'Redirect when the customer cancels, on an allowed origin. Default: the page of the gateway.',
    ],
  }),
});
