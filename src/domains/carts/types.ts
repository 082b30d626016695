/** GraphQL types of carts. */
import { builder } from '../../graphql/schema/builder.ts';
import { RefusalDetail } from '../../graphql/schema/error-unions.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { BlockObject } from '../blocks/types.ts';
import { loadOrderProduct } from '../orders/read/loaders.ts';
import { AppliedType } from '../pricing/price-breakdown-types.ts';
import type { Totals } from '../pricing/rules.ts';
import { ProductType } from '../products/types.ts';
import { billingAddressField, shippingAddressField } from '../shared/postal-address-types.ts';
import { assessCartLine, type CartLineView, type CartView, toCartLineViews } from './read/cart-view.ts';
import { type cartLineChanges, detectCartLineChanges } from './rules.ts';

const LineChangeEnum = builder.enumType('CartLineChange', {
  description: 'What is no longer as it was when a line was added or last changed.',
  values: {
    PRICE_CHANGED: { description: 'It costs more or less than `addedPrice`.' },
    OUT_OF_STOCK: { description: 'There are fewer pieces in stock than the cart has.' },
    NOT_SOLD: { description: 'It is not sold any more, or not in this market; it counts for nothing.' },
  } satisfies Record<(typeof cartLineChanges)[number], { description: string }>,
});

export const CartLineType = builder.objectRef<CartLineView>('CartLine').implement({
  description: 'One line of a cart, with its price as it is now.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the line.' }),
    productId: t.exposeID('productId', { description: 'Id of the product.' }),
    variantId: t.exposeID('variantId', { description: 'Id of the variant.' }),
    name: t.string({
      description: 'Name of the product.',
      resolve: async (line) => (await assessCartLine(line))?.name ?? line.name,
    }),
    variantName: t.string({
      nullable: true,
      description: 'As it is called now; as it was called, once it is gone.',
      resolve: async (line) => ((await assessCartLine(line)) ?? line).variantName,
    }),
    sku: t.string({
      nullable: true,
      description: 'Stock keeping unit of the variant.',
      resolve: async (line) => ((await assessCartLine(line)) ?? line).sku,
    }),
    quantity: t.exposeInt('quantity', { description: 'Pieces.' }),
    blocks: t.expose('blocks', { type: [BlockObject], description: 'What is wanted of it.' }),
    unitPrice: t.field({
      type: 'Money',
      nullable: true,
      description: 'Price of one piece; null when it is not sold.',
      resolve: async (line) => (await assessCartLine(line))?.unitPrice,
    }),
    totalPrice: t.field({
      type: 'Money',
      nullable: true,
      description: 'Price of all pieces; null when it is not sold.',
      resolve: async (line) => (await assessCartLine(line))?.totalPrice,
    }),
    applied: t.field({
      type: [AppliedType],
      nullable: true,
      description: 'What makes it cost that, step by step; null when it is not sold.',
      resolve: async (line) => (await assessCartLine(line))?.applied,
    }),
    available: t.int({
      nullable: true,
      description: 'Pieces in stock; null when that is not tracked, or it is not sold.',
      resolve: async (line) => (await assessCartLine(line))?.available,
    }),
    addedPrice: t.expose('unitPrice', {
      type: 'Money',
      nullable: true,
      description: 'Price of one piece when the line was added or last changed.',
    }),
    changes: t.field({
      type: [LineChangeEnum],
      description: 'What has changed since then.',
      resolve: async (line) =>
        detectCartLineChanges(line, await assessCartLine(line), (await line.cart.assess()).currency),
    }),
    addedAt: t.expose('addedAt', { type: 'Timestamp', description: 'When it was added.' }),
    product: t.field({
      type: ProductType,
      nullable: true,
      description: 'The product as it is now; null when it is gone or not visible.',
      resolve: (line, _args, ctx) => loadOrderProduct(ctx, line.productId),
    }),
  }),
});

const total = async (cart: CartView, of: keyof Totals) => (await cart.assess()).totals?.[of];

export const CartType = builder.objectRef<CartView>('Cart').implement({
  interfaces: [NodeInterface, Timestamped, Versioned],
  description:
    'What somebody may buy from a business: a quote that is kept. Prices and stock are those of the moment it is read.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the cart.' }),
    businessId: t.exposeID('businessId', { description: 'The business that sells.' }),
    customerId: t.exposeID('customerId', { description: 'Whose cart it is, a guest or a user.' }),
    market: t.exposeID('market', { description: 'Code of the market.' }),
    currency: t.string({
      nullable: true,
      description: 'ISO 4217 code; null when the business no longer has the market.',
      resolve: async (cart) => (await cart.assess()).currency,
    }),
    lines: t.field({
      type: [CartLineType],
      description: 'What is in it, in the order it was added.',
      resolve: toCartLineViews,
    }),
    blocks: t.expose('blocks', { type: [BlockObject], description: 'Custom fields.' }),
    shippingAddress: t.expose('shippingAddress', shippingAddressField),
    billingAddress: t.expose('billingAddress', billingAddressField),
    note: t.exposeString('note', { nullable: true, description: 'A note to the business.' }),
    promoCode: t.exposeString('promoCode', { nullable: true, description: 'The promo code to be used.' }),
    shippingMethodId: t.exposeID('shippingMethodId', { nullable: true, description: 'How to ship.' }),
    subtotal: t.field({
      type: 'Money',
      nullable: true,
      description: 'Sum of the lines that are sold; null, like all totals, when it cannot be reckoned.',
      resolve: (cart) => total(cart, 'subtotal'),
    }),
    tax: t.field({
      type: 'Money',
      nullable: true,
      description: 'Tax on subtotal minus discount.',
      resolve: (cart) => total(cart, 'tax'),
    }),
    taxBps: t.int({
      nullable: true,
      description: 'Tax in basis points.',
      resolve: async (cart) => (await cart.assess()).taxBps,
    }),
    shipping: t.field({
      type: 'Money',
      nullable: true,
      description: 'Price of shipping.',
      resolve: (cart) => total(cart, 'shipping'),
    }),
    discount: t.field({
      type: 'Money',
      nullable: true,
      description: 'What the promo code takes off.',
      resolve: (cart) => total(cart, 'discount'),
    }),
    total: t.field({
      type: 'Money',
      nullable: true,
      description: 'subtotal + tax + shipping - discount.',
      resolve: (cart) => total(cart, 'total'),
    }),
    problems: t.field({
      type: [RefusalDetail],
      description:
        'All that checkout would refuse, each with its path in the cart. Empty: it can be ordered.',
      resolve: async (cart) => [...(await cart.assess()).problems],
    }),
    expiresAt: t.field({
      type: 'Timestamp',
      description: 'When it is thrown away, unless it is changed before.',
      resolve: ({ updatedAt }, _args, { config }) => updatedAt + config.retention.carts,
    }),
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it back to guard an update.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was opened.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});
