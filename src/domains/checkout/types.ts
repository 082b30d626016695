/** GraphQL types of quotes and checkout. */
import { builder } from '../../graphql/schema/builder.ts';
import { createResultUnion } from '../../graphql/schema/error-unions.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import { OrderLineType } from '../orders/types.ts';
import type { Quote } from './create-quote.ts';
import type { CheckoutResult } from './model.ts';

export const QuoteType = builder.objectRef<Quote>('Quote').implement({
  description: 'What a cart costs. Its id is a price lock that checkout honours until it expires.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The price lock; send it to checkout as `quote`. A JWS of what was quoted, for anybody to verify with `/.well-known/jwks.json`.',
    }),
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
  values: enumValues({
    COMPLETED: 'The order is placed and there is nothing to pay.',
  }),
});

export const CheckoutPayload = builder.objectRef<CheckoutResult>('CheckoutPayload').implement({
  description: 'The order, and where to pay it.',
  fields: (t) => ({
    orderId: t.exposeID('orderId', { description: 'Id of the order.' }),
    orderNumber: t.exposeInt('orderNumber', {
      description: 'Its number in the business: what people call it by.',
    }),
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

export const CheckoutOutcome = createResultUnion('CheckoutOutcome', CheckoutPayload);
