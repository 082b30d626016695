/** GraphQL field `Cart.shippingOptions`: shipping methods for the cart with their prices. */
import { builder } from '../../graphql/schema/builder.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import { loadShippingMethodsOfBusiness } from '../businesses/load-businesses-and-configuration.ts';
import type { ShippingPrice } from '../businesses/shipping-price-and-category-tax.ts';
import { listShippingOptions, type ShippingOption } from '../checkout/shipping-options.ts';
import { PriceGraphqlType } from '../shared/price-graphql-type.ts';
import { CartGraphqlType } from './types.ts';

const ShippingOptionGraphqlType = builder.objectRef<ShippingOption>('ShippingOption').implement({
  description: 'Shipping method that a cart can be sent with, at its current price.',
  fields: outputFields((t) => ({
    shippingMethodId: ['ID!', 'Id of the shipping method; send it with `updateCart`.'],
    name: ['String!', 'Name shown to customers.'],
    price: t.field({
      type: PriceGraphqlType,
      description: 'Price of shipping for this cart, after `freeAbove` and the promo code.',
      resolve: ({ price, currency }) => ({ amount: price, currency }),
    }),
    freeAbove: t.field({
      type: PriceGraphqlType,
      nullable: true,
      description: 'Shipping is free when subtotal minus discount is at least this; null when it never is.',
      resolve: ({ freeAbove, currency }) =>
        freeAbove === undefined ? null : { amount: freeAbove, currency },
    }),
    isSelected: ['Boolean!', 'Whether it is the shipping method of the cart.'],
  })),
});

builder.objectField(CartGraphqlType, 'shippingOptions', (t) =>
  t.field({
    type: [ShippingOptionGraphqlType],
    description:
      'Shipping methods of the market of the cart with their prices, cheapest first. Empty when the business does not ship there.',
    resolve: async (cart, _args, ctx) => {
      const methods = (await loadShippingMethodsOfBusiness(ctx, cart.businessId)) ?? [];
      return listShippingOptions(
        methods.map(({ id, name, prices }) => ({ id, name, prices: prices as unknown as ShippingPrice[] })),
        cart,
        await cart.evaluate(),
      );
    },
  }),
);
