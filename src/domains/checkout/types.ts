/** GraphQL types of quotes and checkout. */
import { builder } from '../../graphql/schema/builder.ts';
import { createResultUnion } from '../../graphql/schema/error-enums-and-result-unions.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import { createPayloadType, describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { findOrder } from '../orders/read/find-order.ts';
import { OrderLineGraphqlType } from '../orders/read/order-line-graphql-type.ts';
import { OrderGraphqlType } from '../orders/types.ts';
import type { CheckoutResult } from './checkout-data-types.ts';
import type { Quote } from './create-quote.ts';

export const QuoteGraphqlType = builder.objectRef<Quote>('Quote').implement({
  description: 'Price of a cart. Its id is a price lock that checkout accepts until it expires.',
  fields: outputFields((t) => ({
    id: [
      'ID!',
      'Price lock; send it to checkout as `quote`. A JWS of the quoted prices, verifiable with the keys at `/.well-known/jwks.json`.',
    ],
    expiresAt: ['Timestamp!', 'When the price lock expires: 15 minutes after the quote.'],
    market: ['ID!', 'Code of the market.'],
    currency: ['String!', 'ISO 4217 code.'],
    lines: t.field({
      pure: true,
      type: [OrderLineGraphqlType],
      description: 'Lines with their prices.',
      resolve: ({ currency, lines }) => lines.map((line) => ({ currency, ...line })),
    }),
    subtotal: ['Money!', 'Sum of the lines, in minor units.'],
    tax: ['Money!', 'Tax on subtotal minus discount, in minor units.'],
    taxBps: ['Int!', 'Standard tax rate of the market, in basis points.'],
    shipping: ['Money!', 'Price of shipping, in minor units.'],
    discount: ['Money!', 'Discount by the promo code, in minor units.'],
    total: ['Money!', 'subtotal + tax + shipping - discount, in minor units.'],
    shippingMethodId: ['ID', 'Id of the shipping method; null if none was chosen.'],
    promoCode: ['String', 'Promo code used; null if none.'],
  })),
});

export const QuotePayload = createPayloadType('QuotePayload', 'quote', QuoteGraphqlType);

const CheckoutStatusEnum = builder.enumType('CheckoutStatus', {
  description: 'Status of a checkout without payment.',
  values: describedEnumValues({ COMPLETED: 'The order is placed; its total is 0.' }),
});

export const CheckoutPayload = builder.objectRef<CheckoutResult>('CheckoutPayload').implement({
  description: 'The placed order and its payment page.',
  fields: outputFields((t) => ({
    orderId: ['ID!', 'Id of the order.'],
    orderNumber: ['Int!', 'Number shown to the customer, sequential in the business.'],
    order: t.field({
      type: OrderGraphqlType,
      nullable: true,
      description: 'The placed order; null only if it was deleted in the meantime.',
      resolve: ({ businessId, orderId }, _args, ctx) => findOrder(ctx, { businessId, id: orderId }),
    }),
    requiresPayment: t.boolean({
      description:
        'Whether the order is still to be paid: redirect the customer to `checkoutUrl`. False when it is free.',
      resolve: ({ checkoutUrl }) => checkoutUrl !== undefined,
    }),
    checkoutUrl: ['String', 'URL of the payment page; null unless `requiresPayment`.'],
    status: [CheckoutStatusEnum, 'COMPLETED when the order is free, otherwise null.'],
  })),
});

export const CheckoutOutcome = createResultUnion('CheckoutOutcome', CheckoutPayload);
