/** GraphQL types of carts. */
import { loadedCurrencyTypeOptions } from '../../graphql/schema/add-price-and-date-time-siblings.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { RefusalDetailGraphqlType } from '../../graphql/schema/error-enums-and-result-unions.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { BlockGraphqlType } from '../blocks/types.ts';
import { loadOrderProduct } from '../orders/read/load-referenced-records.ts';
import type { PriceTotals } from '../pricing/compute-cart-price.ts';
import { AppliedPriceStepGraphqlType } from '../pricing/line-price-breakdown-graphql-types.ts';
import { ProductGraphqlType } from '../products/types.ts';
import { billingAddressField, shippingAddressField } from '../shared/postal-address-graphql-types.ts';
import { type cartLineChanges, detectCartLineChanges } from './cart-limits-and-merging.ts';
import {
  type CartLineWithCart,
  type CartWithLazyPrices,
  evaluateCartLine,
  toCartLinesWithCart,
} from './read/cart-with-lazy-prices.ts';

const LineChangeEnum = builder.enumType('CartLineChange', {
  description: 'Change of a line since it was added or last updated.',
  values: {
    PRICE_CHANGED: {
      description: 'The unit price differs from the price when the line was added or last updated.',
    },
    OUT_OF_STOCK: { description: 'Fewer units are in stock than the line has.' },
    NOT_SOLD: {
      description:
        'The variant is no longer sold, or not in this market; the line is excluded from the totals.',
    },
  } satisfies Record<(typeof cartLineChanges)[number], { description: string }>,
});

export const CartLineGraphqlType = builder.objectRef<CartLineWithCart>('CartLine').implement({
  ...loadedCurrencyTypeOptions(async ({ cart }: CartLineWithCart) => (await cart.evaluate()).currency),
  description: 'Line of a cart, with its current price.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the line.'],
    productId: ['ID!', 'Id of the product.'],
    variantId: ['ID!', 'Id of the variant.'],
    name: t.string({
      description: 'Current name of the product; the last known name when it is no longer sold.',
      resolve: async (line) => (await evaluateCartLine(line))?.name ?? line.name,
    }),
    variantName: t.string({
      nullable: true,
      description: 'Current name of the variant; the last known name when it is no longer sold.',
      resolve: async (line) => ((await evaluateCartLine(line)) ?? line).variantName,
    }),
    sku: t.string({
      nullable: true,
      description: 'Stock keeping unit of the variant; null without one.',
      resolve: async (line) => ((await evaluateCartLine(line)) ?? line).sku,
    }),
    quantity: ['Int!', 'Number of units.'],
    blocks: t.expose('blocks', {
      type: [BlockGraphqlType],
      description: 'Options for this line, such as an engraving.',
    }),
    unitPrice: t.field({
      type: 'Money',
      nullable: true,
      description: 'Current unit price in minor units; null when the variant is not sold.',
      resolve: async (line) => (await evaluateCartLine(line))?.unitPrice,
    }),
    totalPrice: t.field({
      type: 'Money',
      nullable: true,
      description: 'Unit price times quantity, in minor units; null when the variant is not sold.',
      resolve: async (line) => (await evaluateCartLine(line))?.totalPrice,
    }),
    applied: t.field({
      type: [AppliedPriceStepGraphqlType],
      nullable: true,
      description: 'Steps of the price calculation; null when the variant is not sold.',
      resolve: async (line) => {
        const { currency = '' } = await line.cart.evaluate();
        return (await evaluateCartLine(line))?.applied?.map((step) => ({ currency, ...step }));
      },
    }),
    available: t.int({
      nullable: true,
      description: 'Units in stock; null when stock is not tracked or the variant is not sold.',
      resolve: async (line) => (await evaluateCartLine(line))?.available,
    }),
    addedPrice: t.expose('unitPrice', {
      type: 'Money',
      nullable: true,
      description: 'Unit price in minor units when the line was added or last updated.',
    }),
    changes: t.field({
      type: [LineChangeEnum],
      description: 'Changes since the line was added or last updated.',
      resolve: async (line) =>
        detectCartLineChanges(line, await evaluateCartLine(line), (await line.cart.evaluate()).currency),
    }),
    addedAt: ['Timestamp!', 'Time when the line was added.'],
    product: t.field({
      type: ProductGraphqlType,
      nullable: true,
      description: 'The product; null when it was deleted or is not visible to the viewer.',
      resolve: (line, _args, ctx) => loadOrderProduct(ctx, line.productId),
    }),
  })),
});

const loadTotal = async (cart: CartWithLazyPrices, name: keyof PriceTotals) =>
  (await cart.evaluate()).totals?.[name];

export const CartGraphqlType = builder.objectRef<CartWithLazyPrices>('Cart').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Cart of a customer or guest in one business. Prices and stock are evaluated on each read.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the cart.'],
    businessId: ['ID!', 'Id of the business.'],
    customerId: ['ID!', 'Id of the owner, a user or a guest.'],
    market: ['ID!', 'Code of the market.'],
    currency: t.string({
      nullable: true,
      description: 'ISO 4217 code; null when the business no longer has the market.',
      resolve: async (cart) => (await cart.evaluate()).currency,
    }),
    lines: t.field({
      type: [CartLineGraphqlType],
      description: 'Lines, in the order in which they were added.',
      resolve: toCartLinesWithCart,
    }),
    blocks: t.expose('blocks', { type: [BlockGraphqlType], description: 'Custom fields.' }),
    shippingAddress: t.expose('shippingAddress', shippingAddressField),
    billingAddress: t.expose('billingAddress', billingAddressField),
    email: ['String', 'Email address for mails about the order; null without one.'],
    phone: ['String', 'Phone number, in international format; null without one.'],
    marketingConsent: t.boolean({
      description: 'Whether the customer agreed to receive advertising at `email`.',
      resolve: (cart) => cart.marketingConsent ?? false,
    }),
    note: ['String', 'Note to the business; null without one.'],
    promoCode: ['String', 'Promo code; null without one.'],
    shippingMethodId: ['ID', 'Id of the shipping method; null until one is chosen.'],
    subtotal: t.field({
      type: 'Money',
      nullable: true,
      description:
        'Sum of the lines that are sold, in minor units. Null, like all totals, when it cannot be calculated.',
      resolve: (cart) => loadTotal(cart, 'subtotal'),
    }),
    tax: t.field({
      type: 'Money',
      nullable: true,
      description: 'Tax on subtotal minus discount, in minor units.',
      resolve: (cart) => loadTotal(cart, 'tax'),
    }),
    taxBps: t.int({
      nullable: true,
      description: 'Tax rate of the market in basis points.',
      resolve: async (cart) => (await cart.evaluate()).taxBps,
    }),
    shipping: t.field({
      type: 'Money',
      nullable: true,
      description: 'Price of shipping, in minor units.',
      resolve: (cart) => loadTotal(cart, 'shipping'),
    }),
    discount: t.field({
      type: 'Money',
      nullable: true,
      description: 'Discount of the promo code, in minor units.',
      resolve: (cart) => loadTotal(cart, 'discount'),
    }),
    total: t.field({
      type: 'Money',
      nullable: true,
      description: 'subtotal + tax + shipping - discount, in minor units.',
      resolve: (cart) => loadTotal(cart, 'total'),
    }),
    problems: t.field({
      type: [RefusalDetailGraphqlType],
      description:
        'Problems that would make the checkout fail, each with its path in the cart. Empty when the cart can be ordered.',
      resolve: async (cart) => [...(await cart.evaluate()).problems],
    }),
    expiresAt: t.field({
      type: 'Timestamp',
      description: 'Time when the cart is deleted unless it is changed before.',
      resolve: ({ updatedAt }, _args, { config }) => updatedAt + config.retention.carts,
    }),
  })),
});
