/** GraphQL types of a business and its configuration. */
import { permissionMeanings } from '../../auth/permissions.ts';
import type { Business, Market, PromoCode, Role, ShippingMethod } from '../../generated/prisma/client.ts';
import type { PromoCodeType } from '../../generated/prisma/enums.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import { loadMarketsOfBusiness, loadShippingMethodsOfBusiness } from './load-configuration.ts';
import type { CategoryTax, ShippingPrice } from './rules.ts';

export const PermissionEnum = builder.enumType('Permission', {
  description: 'What a role allows. ADMIN allows everything.',
  values: enumValues(permissionMeanings),
});

export const PromoCodeTypeEnum = builder.enumType('PromoCodeType', {
  description: 'What a promo code takes off.',
  values: enumValues<keyof typeof PromoCodeType>({
    PERCENTAGE: 'A part of the subtotal, in basis points.',
    FIXED: 'An amount, in the currency of the code.',
    FREE_SHIPPING: 'The price of shipping.',
  }),
});

const version = 'Grows with every change; send it back to guard an update.';

const CategoryTaxType = builder.objectRef<CategoryTax>('CategoryTax').implement({
  description: 'What products of one category are taxed with in a market.',
  fields: (t) => ({
    category: t.exposeString('category', { description: 'The category of the products.' }),
    taxBps: t.exposeInt('taxBps', { description: 'Tax in basis points.' }),
  }),
});

export const MarketType = builder.prismaObject('Market', {
  interfaces: [Timestamped, Versioned],
  description: 'A place the business sells to, with its currency and tax.',
  fields: (t) => ({
    code: t.exposeID('code', { description: 'Code, compared without case; the `marketId` of prices.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    taxBps: t.exposeInt('taxBps', { description: 'Tax in basis points.' }),
    taxRates: t.field({
      type: [CategoryTaxType],
      nullable: true,
      description: 'What some categories are taxed with instead; null when all are taxed alike.',
      resolve: (market) => market.taxRates as CategoryTax[] | null,
    }),
    version: t.exposeInt('version', { description: version }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

const ShippingPriceType = builder.objectRef<ShippingPrice>('ShippingPrice').implement({
  description: 'What shipping costs in one market.',
  fields: (t) => ({
    marketId: t.exposeID('marketId', { description: 'Code of the market.' }),
    market: t.exposeID('marketId', { description: 'The same as `marketId`, as orders and quotes call it.' }),
    price: t.expose('price', { type: 'Money', description: 'Price in minor units.' }),
    freeAbove: t.expose('freeAbove', {
      type: 'Money',
      nullable: true,
      description: 'Free when subtotal minus discount reaches this.',
    }),
  }),
});

export const ShippingMethodType = builder.prismaObject('ShippingMethod', {
  interfaces: [Timestamped, Versioned],
  description: 'A way to ship.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id chosen by the business, such as `standard`.' }),
    name: t.exposeString('name', { description: 'Name shown to customers.' }),
    prices: t.field({
      type: [ShippingPriceType],
      description: 'One price per market.',
      resolve: (method) => method.prices as unknown as ShippingPrice[],
    }),
    version: t.exposeInt('version', { description: version }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const PromoCodeObject = builder.prismaObject('PromoCode', {
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'A discount that customers claim with a code.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the promo code.' }),
    code: t.exposeString('code', { description: 'What customers type, in any case.' }),
    type: t.expose('type', { type: PromoCodeTypeEnum, description: 'What it takes off.' }),
    bps: t.exposeInt('bps', { nullable: true, description: 'Basis points off (PERCENTAGE).' }),
    amount: t.expose('amount', { type: 'Money', nullable: true, description: 'Minor units off (FIXED).' }),
    currency: t.exposeString('currency', { nullable: true, description: 'Currency of the amount (FIXED).' }),
    minSubtotal: t.expose('minSubtotal', {
      type: 'Money',
      nullable: true,
      description: 'Smallest subtotal it applies to.',
    }),
    startsAt: t.expose('startsAt', { type: 'Timestamp', nullable: true, description: 'Not valid before.' }),
    endsAt: t.expose('endsAt', { type: 'Timestamp', nullable: true, description: 'Not valid from here on.' }),
    maxUses: t.exposeInt('maxUses', { nullable: true, description: 'Orders it may be used for in total.' }),
    maxUsesPerCustomer: t.exposeInt('maxUsesPerCustomer', {
      nullable: true,
      description: 'Orders one customer may use it for.',
    }),
    uses: t.exposeInt('uses', { description: 'Orders that use it now.' }),
    version: t.exposeInt('version', { description: version }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const RoleType = builder.prismaObject('Role', {
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'A named set of permissions in one business.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the role.' }),
    businessId: t.exposeID('businessId', { description: 'The business it belongs to.' }),
    name: t.exposeString('name', { description: 'Name, unique in the business.' }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'What it allows.',
      resolve: (role) => role.permissions as never,
    }),
    version: t.exposeInt('version', { description: version }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const BusinessType = builder.prismaObject('Business', {
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'A tenant: a shop with its people, products, orders and content.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the business.' }),
    name: t.exposeString('name', { description: 'What customers know it by.' }),
    slug: t.exposeString('slug', { description: 'Readable address.' }),
    // Not relations: many records may lead to the same business, and each would ask again.
    markets: t.field({
      type: [MarketType],
      description: 'Where it sells.',
      resolve: async ({ id }, _args, ctx) => (await loadMarketsOfBusiness(ctx, id)) ?? [],
    }),
    shippingMethods: t.field({
      type: [ShippingMethodType],
      description: 'How it ships.',
      resolve: async ({ id }, _args, ctx) => (await loadShippingMethodsOfBusiness(ctx, id)) ?? [],
    }),
    version: t.exposeInt('version', { description: version }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const BusinessConnection = createConnectionType<Business>('Business', BusinessType);
export const MarketConnection = createConnectionType<Market>('Market', MarketType);
export const ShippingMethodConnection = createConnectionType<ShippingMethod>(
  'ShippingMethod',
  ShippingMethodType,
);
export const PromoCodeConnection = createConnectionType<PromoCode>('PromoCode', PromoCodeObject);
export const RoleConnection = createConnectionType<Role>('Role', RoleType);
