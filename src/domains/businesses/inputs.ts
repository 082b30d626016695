/** GraphQL inputs of businesses and their configuration. Validation rules are in schemas.ts. */

import { builder } from '../../graphql/schema/builder.ts';
import { deprecatedField } from '../../graphql/schema/deprecations.ts';
import { PermissionEnum, PromoCodeTypeEnum } from './types.ts';

const publicReadDescription =
  'Whether clients without a token may read published products, collections, entries, markets and shipping methods. Default: false.';

export const CreateBusinessInput = builder.inputType('CreateBusinessInput', {
  description: 'A new business.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name shown to customers.' }),
    slug: t.string({ description: 'URL slug. Derived from the name when absent.' }),
    publicRead: t.boolean({ description: publicReadDescription }),
  }),
});

export const UpdateBusinessInput = builder.inputType('UpdateBusinessInput', {
  description: 'Fields to change; absent fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Name shown to customers.' }),
    slug: t.string({ description: 'URL slug.' }),
    publicRead: t.boolean({ description: publicReadDescription }),
  }),
});

const CategoryTaxInput = builder.inputType('CategoryTaxInput', {
  description: 'Tax rate of one product category in a market.',
  fields: (t) => ({
    category: t.string({ required: true, description: 'Category, spelled exactly as in the products.' }),
    taxBps: t.int({ required: true, description: 'Tax rate in basis points: 1900 is 19 %.' }),
  }),
});

export const CreateMarketInput = builder.inputType('CreateMarketInput', {
  description: 'A new market.',
  fields: (t) => ({
    code: t.id({ required: true, description: 'Code, unique in the business (case-insensitive).' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, case-insensitive.' }),
    taxBps: t.int({ description: 'Tax rate in basis points. Default 0.' }),
    taxRates: t.field({
      type: [CategoryTaxInput],
      description: 'Tax rates of categories that differ from `taxBps`.',
    }),
  }),
});

const MarketShippingPriceInput = builder.inputType('MarketShippingPriceInput', {
  description: 'Price of one shipping method in a market.',
  fields: (t) => ({
    shippingMethodId: t.id({ required: true, description: 'Id of the shipping method.' }),
    price: t.field({ type: 'Money', required: true, description: 'Price in minor units.' }),
    freeAbove: t.field({
      type: 'Money',
      description: 'Shipping is free when subtotal minus discount reaches this amount, in minor units.',
    }),
  }),
});

export const UpdateMarketInput = builder.inputType('UpdateMarketInput', {
  description: 'Fields to change; absent fields stay unchanged. The code cannot be changed.',
  fields: (t) => ({
    currency: t.string({
      description:
        'ISO 4217 code, case-insensitive. Another currency needs `shippingPrices` of all shipping methods with a price in this market, ' +
        'and no current promo code without a currency that has a `minSubtotal`.',
    }),
    taxBps: t.int({ description: 'Tax rate in basis points.' }),
    taxRates: t.field({ type: [CategoryTaxInput], description: 'Complete new list; empty removes all.' }),
    shippingPrices: t.field({
      type: [MarketShippingPriceInput],
      description:
        'New prices of shipping methods in this market, in its (new) currency. Methods that are absent stay unchanged.',
    }),
  }),
});

const ShippingPriceInput = builder.inputType('ShippingPriceInput', {
  description: 'Shipping price in one market.',
  fields: (t) => ({
    marketId: t.id({ required: true, description: 'Code of the market.' }),
    price: t.field({ type: 'Money', required: true, description: 'Price in minor units.' }),
    freeAbove: t.field({
      type: 'Money',
      description: 'Shipping is free when subtotal minus discount reaches this amount, in minor units.',
    }),
  }),
});

export const CreateShippingMethodInput = builder.inputType('CreateShippingMethodInput', {
  description: 'A new shipping method.',
  fields: (t) => ({
    id: t.id({ description: 'Id, such as `standard`. Derived from the name when absent.' }),
    name: t.string({ required: true, description: 'Name shown to customers.' }),
    prices: t.field({ type: [ShippingPriceInput], description: 'At most one price per market.' }),
  }),
});

export const UpdateShippingMethodInput = builder.inputType('UpdateShippingMethodInput', {
  description: 'Fields to change; absent fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Name shown to customers.' }),
    prices: t.field({
      type: [ShippingPriceInput],
      description: 'Complete new list, at most one price per market.',
    }),
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const FixedDiscountInput = builder.inputType('FixedDiscountInput', {
  description: 'Fixed discount in one currency.',
  fields: (t) => ({
    amount: t.field({ type: 'Money', required: true, description: 'Discount in minor units.' }),
    currency: t.string({
      required: true,
      description: 'ISO 4217 code, case-insensitive. The code applies to carts in this currency only.',
    }),
  }),
});

const PromoDiscountInput = builder.inputType('PromoDiscountInput', {
  description: 'Discount of a promo code: exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    percentage: t.int({ description: 'Discount in basis points: 1000 is 10 %.' }),
    fixed: t.field({ type: FixedDiscountInput, description: 'Amount and currency of the discount.' }),
    freeShipping: t.boolean({ description: 'Must be true: shipping is free.' }),
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

const promoLimits = (t: InputFields) => ({
  minSubtotal: t.field({ type: 'Money', description: 'Minimum subtotal in minor units.' }),
  startsAt: t.field({ type: 'Timestamp', description: 'Start of validity.' }),
  endsAt: t.field({ type: 'Timestamp', description: 'End of validity (exclusive).' }),
  maxUses: t.int({ description: 'Maximum number of orders in total.' }),
  maxUsesPerCustomer: t.int({ description: 'Maximum number of orders per customer.' }),
});

export const CreatePromoCodeInput = builder.inputType('CreatePromoCodeInput', {
  description: 'A new promo code.',
  fields: (t) => ({
    code: t.string({
      required: true,
      description: 'Code that customers enter, unique in the business (case-insensitive).',
    }),
    ...promoDiscount(t, 'CreatePromoCodeInput'),
    ...promoLimits(t),
  }),
});

export const UpdatePromoCodeInput = builder.inputType('UpdatePromoCodeInput', {
  description: 'Fields to change; absent fields stay unchanged, null removes a limit.',
  fields: (t) => ({
    code: t.string({ description: 'Code that customers enter.' }),
    ...promoDiscount(t, 'UpdatePromoCodeInput'),
    ...promoLimits(t),
  }),
});

export const CreateRoleInput = builder.inputType('CreateRoleInput', {
  description: 'A new role.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name, unique in the business.' }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'Permissions that the role includes. Default: none.',
    }),
  }),
});

export const UpdateRoleInput = builder.inputType('UpdateRoleInput', {
  description: 'Fields to change; absent fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Unique in the business.' }),
    permissions: t.field({ type: [PermissionEnum], description: 'Complete new list.' }),
  }),
});
