/** GraphQL types and inputs of quotes and checkout. */
import { builder } from '../../graphql/builder.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { CartLineInput } from '../orders/inputs.ts';
import { OrderLineType } from '../orders/types.ts';
import type { CheckoutResult } from './checkout.ts';
import type { Quote } from './quote.ts';

export const QuoteType = builder.objectRef<Quote>('Quote').implement({
  description: 'What a cart costs. Its id is a price lock that checkout honours until it expires.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The price lock; send it to checkout as `quote`.' }),
    expiresAt: t.expose('expiresAt', { type: 'Timestamp', description: 'Until when the prices are locked.' }),
    market: t.exposeID('market', { description: 'Code of the market.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    lines: t.expose('lines', { type: [OrderLineType], description: 'The lines with their prices.' }),
    subtotal: t.expose('subtotal', { type: 'Money', description: 'Sum of the lines.' }),
    tax: t.expose('tax', { type: 'Money', description: 'Tax on subtotal minus discount.' }),
    taxBps: t.exposeInt('taxBps', { description: 'Tax in basis points.' }),
    shipping: t.expose('shipping', { type: 'Money', description: 'Price of shipping.' }),
    discount: t.expose('discount', { type: 'Money', description: 'What the promo code takes off.' }),
    total: t.expose('total', { type: 'Money', description: 'subtotal + tax + shipping - discount.' }),
    shippingMethodId: t.exposeID('shippingMethodId', { nullable: true, description: 'How it is shipped.' }),
    promoCode: t.exposeString('promoCode', { nullable: true, description: 'The promo code used.' }),
  }),
});

const CheckoutStatusEnum = builder.enumType('CheckoutStatus', {
  description: 'COMPLETED: there was nothing to pay.',
  values: ['COMPLETED'] as const,
});

export const CheckoutPayload = builder.objectRef<CheckoutResult>('CheckoutPayload').implement({
  description: 'The order, and where to pay it.',
  fields: (t) => ({
    orderId: t.exposeID('orderId', { description: 'Id of the order.' }),
    checkoutUrl: t.exposeString('checkoutUrl', {
      nullable: true,
      description: 'Send the customer here to pay. Null when the order is free.',
    }),
    status: t.expose('status', {
      type: CheckoutStatusEnum,
      nullable: true,
      description: 'COMPLETED when the order is free.',
    }),
  }),
});

type CartFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const cartFields = (t: CartFields) => ({
  market: t.id({ required: true, description: 'Code of the market.' }),
  paymentMethod: t.string({ description: 'CREDIT_CARD, or the name of the card payment provider.' }),
  shippingMethodId: t.id({ description: 'How to ship.' }),
  promoCode: t.string({ description: 'Promo code, in any case.' }),
});

export const QuoteInput = builder.inputType('QuoteInput', {
  description: 'A cart to be priced.',
  fields: (t) => ({
    businessId: t.id({ required: true, description: 'The business.' }),
    currency: t.string({ description: 'Must be the currency of the market, when given.' }),
    lines: t.field({ type: [CartLineInput], required: true, description: 'What to buy.' }),
    ...cartFields(t),
  }),
});

export const CheckoutInput = builder.inputType('CheckoutInput', {
  description: 'A cart to be ordered.',
  fields: (t) => ({
    items: t.field({ type: [CartLineInput], required: true, description: 'What to buy.' }),
    quote: t.string({ description: 'Id of a quote for this cart: its prices are honoured.' }),
    blocks: t.field({ type: [BlockInput], description: 'Shipping address and custom fields.' }),
    returnUrl: t.string({ description: 'Where to go after paying, on an allowed origin.' }),
    cancelUrl: t.string({ description: 'Where to go without paying, on an allowed origin.' }),
    ...cartFields(t),
  }),
});

const RefundLineInput = builder.inputType('RefundLineInput', {
  description: 'Units of a line to be refunded.',
  fields: (t) => ({
    line: t.int({ required: true, description: 'Position of the line in the order, from 0.' }),
    quantity: t.int({ required: true, description: 'Pieces.' }),
  }),
});

export const RefundInput = builder.inputType('RefundInput', {
  description: 'What to refund. With neither lines nor amount: all that is left.',
  fields: (t) => ({
    lines: t.field({
      type: [RefundLineInput],
      description: 'Units to refund, at what was paid for them with discount and tax.',
    }),
    amount: t.field({ type: 'Money', description: 'How much, instead of what the lines make.' }),
    restock: t.boolean({ description: 'Whether the units go back to stock. Default: no.' }),
    reason: t.string({ description: 'Why.' }),
  }),
});
