/** GraphQL types of a business and its configuration. */
import { permissionMeanings } from '../../auth/permissions-and-default-roles.ts';
import type { PromoCodeType } from '../../generated/prisma/enums.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { outputFields, prismaFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { loadMarketsOfBusiness, loadShippingMethodsOfBusiness } from './load-businesses-and-configuration.ts';
import type { CategoryTax, ShippingPrice } from './shipping-price-and-category-tax.ts';

export const PermissionEnum = builder.enumType('Permission', {
  description: 'Permission of a role. ADMIN includes all others.',
  values: describedEnumValues(permissionMeanings),
});

export const PromoCodeTypeEnum = builder.enumType('PromoCodeType', {
  description: 'Kind of discount of a promo code.',
  values: describedEnumValues<keyof typeof PromoCodeType>({
    PERCENTAGE: 'Percentage of the subtotal, in basis points.',
    FIXED: 'Fixed amount in the currency of the code.',
    FREE_SHIPPING: 'Removes the cost of shipping.',
  }),
});

const CategoryTaxGraphqlType = builder.objectRef<CategoryTax>('CategoryTax').implement({
  description: 'Tax rate of one product category in a market.',
  fields: outputFields({
    category: ['String!', 'The category of the products.'],
    taxBps: ['Int!', 'Tax in basis points.'],
  }),
});

export const MarketGraphqlType = builder.prismaObject('Market', {
  interfaces: [TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Market of a business, with its currency and tax.',
  fields: prismaFields('Market', (t) => ({
    code: ['ID!', 'Code, compared case-insensitively; the `marketId` of prices.'],
    currency: ['String!', 'ISO 4217 code.'],
    taxBps: ['Int!', 'Default tax rate in basis points: 1900 is 19 %.'],
    taxRates: t.field({
      type: [CategoryTaxGraphqlType],
      nullable: true,
      description: 'Tax rates of categories that differ from `taxBps`; null when there are none.',
      resolve: (market) => market.taxRates as CategoryTax[] | null,
    }),
  })),
});

const ShippingPriceGraphqlType = builder.objectRef<ShippingPrice>('ShippingPrice').implement({
  description: 'Shipping price in one market.',
  fields: outputFields((t) => ({
    marketId: ['ID!', 'Code of the market.'],
    market: t.exposeID('marketId', { description: 'Code of the market, as in orders and quotes.' }),
    price: ['Money!', 'Price in minor units.'],
    freeAbove: [
      'Money',
      'Shipping is free when subtotal minus discount reaches this amount, in minor units; null when never.',
    ],
  })),
});

export const ShippingMethodGraphqlType = builder.prismaObject('ShippingMethod', {
  interfaces: [TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Shipping method of a business.',
  fields: prismaFields('ShippingMethod', (t) => ({
    key: t.exposeID('id', { description: 'Key within the business, such as `standard`.' }),
    name: ['String!', 'Name shown to customers.'],
    prices: t.field({
      type: [ShippingPriceGraphqlType],
      description: 'Prices, at most one per market. Markets without a price are not served.',
      resolve: (method) => method.prices as unknown as ShippingPrice[],
    }),
  })),
});

export const PromoCodeGraphqlType = builder.prismaObject('PromoCode', {
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Discount that customers apply by entering a code.',
  fields: prismaFields('PromoCode', (t) => ({
    id: ['ID!', 'Id of the promo code.'],
    code: ['String!', 'Code that customers enter; compared case-insensitively.'],
    type: t.expose('type', { type: PromoCodeTypeEnum, description: 'Kind of discount.' }),
    bps: ['Int', 'Discount in basis points: 1000 is 10 % (PERCENTAGE).'],
    amount: ['Money', 'Discount in minor units (FIXED).'],
    currency: ['String', 'Currency of the amount (FIXED).'],
    minSubtotal: ['Money', 'Minimum subtotal in minor units; null when there is none.'],
    startsAt: ['Timestamp', 'Start of validity; null when already valid.'],
    endsAt: ['Timestamp', 'End of validity (exclusive); null when unlimited.'],
    maxUses: ['Int', 'Maximum number of orders in total; null when unlimited.'],
    maxUsesPerCustomer: ['Int', 'Maximum number of orders per customer; null when unlimited.'],
    uses: ['Int!', 'Number of orders that use the code; cancelled orders do not count.'],
  })),
});

export const RoleGraphqlType = builder.prismaObject('Role', {
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'A named set of permissions in one business.',
  fields: prismaFields('Role', (t) => ({
    id: ['ID!', 'Id of the role.'],
    businessId: ['ID!', 'The business it belongs to.'],
    name: ['String!', 'Name, unique in the business.'],
    permissions: t.field({
      type: [PermissionEnum],
      description: 'Permissions that the role includes.',
      resolve: (role) => role.permissions as never,
    }),
  })),
});

export const BusinessGraphqlType = builder.prismaObject('Business', {
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Tenant: a shop with its staff, products, orders and content.',
  fields: prismaFields('Business', (t) => ({
    id: ['ID!', 'Id of the business.'],
    name: ['String!', 'Name shown to customers.'],
    slug: ['String!', 'URL slug, unique among all businesses.'],
    publicRead: [
      'Boolean!',
      'Whether clients without a token may read published products, collections, entries, markets and shipping methods.',
    ],
    // Request loaders instead of Prisma relations: many records can reference the same business, and each relation would query again.
    markets: t.field({
      type: [MarketGraphqlType],
      description: 'Markets in which the business sells.',
      resolve: async ({ id }, _args, ctx) => (await loadMarketsOfBusiness(ctx, id)) ?? [],
    }),
    shippingMethods: t.field({
      type: [ShippingMethodGraphqlType],
      description: 'Available shipping methods.',
      resolve: async ({ id }, _args, ctx) => (await loadShippingMethodsOfBusiness(ctx, id)) ?? [],
    }),
  })),
});

export const BusinessConnection = createConnectionType('Business', BusinessGraphqlType);
export const MarketConnection = createConnectionType('Market', MarketGraphqlType);
export const ShippingMethodConnection = createConnectionType('ShippingMethod', ShippingMethodGraphqlType);
export const PromoCodeConnection = createConnectionType('PromoCode', PromoCodeGraphqlType);
export const RoleConnection = createConnectionType('Role', RoleGraphqlType);
