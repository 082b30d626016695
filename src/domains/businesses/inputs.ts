/** GraphQL inputs of businesses and their configuration. Validation rules are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { deprecatedField } from '../../graphql/schema/deprecations.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { PermissionEnum, PromoCodeTypeEnum } from './types.ts';

const publicReadDescription =
  'Whether clients without a token may read published products, collections, entries, markets and shipping methods. Default: false.';

export const CreateBusinessInput = builder.inputType('CreateBusinessInput', {
  description: 'A new business.',
  fields: inputFields({
    name: ['String!', 'Name shown to customers.'],
    slug: ['String', 'URL slug. Derived from the name when absent.'],
    publicRead: ['Boolean', publicReadDescription],
  }),
});

export const UpdateBusinessInput = builder.inputType('UpdateBusinessInput', {
  description: 'Fields to change; absent fields stay unchanged.',
  fields: inputFields({
    name: ['String', 'Name shown to customers.'],
    slug: ['String', 'URL slug.'],
    publicRead: ['Boolean', publicReadDescription],
  }),
});

const CategoryTaxInput = builder.inputType('CategoryTaxInput', {
  description: 'Tax rate of one product category in a market.',
  fields: inputFields({
    category: ['String!', 'Category, spelled exactly as in the products.'],
    taxBps: ['Int!', 'Tax rate in basis points: 1900 is 19 %.'],
  }),
});

export const CreateMarketInput = builder.inputType('CreateMarketInput', {
  description: 'A new market.',
  fields: inputFields({
    code: ['ID!', 'Code, unique in the business (case-insensitive).'],
    currency: ['String!', 'ISO 4217 code, case-insensitive.'],
    taxBps: ['Int', 'Tax rate in basis points. Default 0.'],
    taxRates: [[CategoryTaxInput], 'Tax rates of categories that differ from `taxBps`.'],
  }),
});

const MarketShippingPriceInput = builder.inputType('MarketShippingPriceInput', {
  description: 'Price of one shipping method in a market.',
  fields: inputFields({
    shippingMethodId: ['ID!', 'Id of the shipping method.'],
    price: ['Money!', 'Price in minor units.'],
    freeAbove: [
      'Money',
      'Shipping is free when subtotal minus discount reaches this amount, in minor units.',
    ],
  }),
});

export const UpdateMarketInput = builder.inputType('UpdateMarketInput', {
  description: 'Fields to change; absent fields stay unchanged. The code cannot be changed.',
  fields: inputFields({
    currency: [
      'String',
      'ISO 4217 code, case-insensitive. Another currency needs `shippingPrices` of all shipping methods with a price in this market, ' +
        'and no current promo code without a currency that has a `minSubtotal`.',
    ],
    taxBps: ['Int', 'Tax rate in basis points.'],
    taxRates: [[CategoryTaxInput], 'Complete new list; empty removes all.'],
    shippingPrices: [
      [MarketShippingPriceInput],
      'New prices of shipping methods in this market, in its (new) currency. Methods that are absent stay unchanged.',
    ],
  }),
});

const ShippingPriceInput = builder.inputType('ShippingPriceInput', {
  description: 'Shipping price in one market.',
  fields: inputFields({
    marketId: ['ID!', 'Code of the market.'],
    price: ['Money!', 'Price in minor units.'],
    freeAbove: [
      'Money',
      'Shipping is free when subtotal minus discount reaches this amount, in minor units.',
    ],
  }),
});

export const CreateShippingMethodInput = builder.inputType('CreateShippingMethodInput', {
  description: 'A new shipping method.',
  fields: inputFields({
    id: ['ID', 'Id, such as `standard`. Derived from the name when absent.'],
    name: ['String!', 'Name shown to customers.'],
    prices: [[ShippingPriceInput], 'At most one price per market.'],
  }),
});

export const UpdateShippingMethodInput = builder.inputType('UpdateShippingMethodInput', {
  description: 'Fields to change; absent fields stay unchanged.',
  fields: inputFields({
    name: ['String', 'Name shown to customers.'],
    prices: [[ShippingPriceInput], 'Complete new list, at most one price per market.'],
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const FixedDiscountInput = builder.inputType('FixedDiscountInput', {
  description: 'Fixed discount in one currency.',
  fields: inputFields({
    amount: ['Money!', 'Discount in minor units.'],
    currency: [
      'String!',
      'ISO 4217 code, case-insensitive. The code applies to carts in this currency only.',
    ],
  }),
});

const PromoDiscountInput = builder.inputType('PromoDiscountInput', {
  description: 'Discount of a promo code: exactly one field.',
  isOneOf: true,
  fields: inputFields({
    percentage: ['Int', 'Discount in basis points: 1000 is 10 %.'],
    fixed: [FixedDiscountInput, 'Amount and currency of the discount.'],
    freeShipping: ['Boolean', 'Must be true: shipping is free.'],
  }),
});

/** Discount as one field, or as the four deprecated fields. */
const promoDiscount = (t: InputFields, type: 'CreatePromoCodeInput' | 'UpdatePromoCodeInput') => ({
  discount: t.field({
    type: PromoDiscountInput,
    description: 'Kind and value; replaces `type`, `bps`, `amount` and `currency`.',
  }),
  type: t.field({
    ...deprecatedField(`${type}.type`),
    type: PromoCodeTypeEnum,
    description: 'Kind of discount.',
  }),
  bps: t.int({ ...deprecatedField(`${type}.bps`), description: 'Discount in basis points (PERCENTAGE).' }),
  amount: t.field({
    ...deprecatedField(`${type}.amount`),
    type: 'Money',
    description: 'Discount in minor units (FIXED).',
  }),
  currency: t.string({
    ...deprecatedField(`${type}.currency`),
    description: 'Currency of the amount (FIXED).',
  }),
});

const promoLimits = {
  minSubtotal: ['Money', 'Minimum subtotal in minor units.'],
  startsAt: ['Timestamp', 'Start of validity.'],
  endsAt: ['Timestamp', 'End of validity (exclusive).'],
  maxUses: ['Int', 'Maximum number of orders in total.'],
  maxUsesPerCustomer: ['Int', 'Maximum number of orders per customer.'],
} as const;

export const CreatePromoCodeInput = builder.inputType('CreatePromoCodeInput', {
  description: 'A new promo code.',
  fields: inputFields((t) => ({
    code: ['String!', 'Code that customers enter, unique in the business (case-insensitive).'],
    ...promoDiscount(t, 'CreatePromoCodeInput'),
    ...promoLimits,
  })),
});

export const UpdatePromoCodeInput = builder.inputType('UpdatePromoCodeInput', {
  description: 'Fields to change; absent fields stay unchanged, null removes a limit.',
  fields: inputFields((t) => ({
    code: ['String', 'Code that customers enter.'],
    ...promoDiscount(t, 'UpdatePromoCodeInput'),
    ...promoLimits,
  })),
});

export const CreateRoleInput = builder.inputType('CreateRoleInput', {
  description: 'A new role.',
  fields: inputFields({
    name: ['String!', 'Name, unique in the business.'],
    permissions: [[PermissionEnum], 'Permissions that the role includes. Default: none.'],
  }),
});

export const UpdateRoleInput = builder.inputType('UpdateRoleInput', {
  description: 'Fields to change; absent fields stay unchanged.',
  fields: inputFields({
    name: ['String', 'Unique in the business.'],
    permissions: [[PermissionEnum], 'Complete new list.'],
  }),
});
