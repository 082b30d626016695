/** GraphQL inputs of a business and its configuration. Rules beyond types are in checks.ts. */

import { builder } from '../../graphql/schema/builder.ts';
import { deprecatedField } from '../../graphql/schema/deprecations.ts';
import { PermissionEnum, PromoCodeTypeEnum } from './types.ts';

export const CreateBusinessInput = builder.inputType('CreateBusinessInput', {
  description: 'A new business.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What customers know it by.' }),
    slug: t.string({ description: 'Readable address. Made from the name when absent.' }),
  }),
});

export const UpdateBusinessInput = builder.inputType('UpdateBusinessInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    name: t.string({ description: 'What customers know it by.' }),
    slug: t.string({ description: 'Readable address.' }),
  }),
});

const CategoryTaxInput = builder.inputType('CategoryTaxInput', {
  description: 'What products of one category are taxed with in a market.',
  fields: (t) => ({
    category: t.string({ required: true, description: 'The category, exactly as products have it.' }),
    taxBps: t.int({ required: true, description: 'Tax in basis points.' }),
  }),
});

export const CreateMarketInput = builder.inputType('CreateMarketInput', {
  description: 'A new market.',
  fields: (t) => ({
    code: t.id({ required: true, description: 'Code, unique in the business without regard to case.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, in any case.' }),
    taxBps: t.int({ description: 'Tax in basis points. Default 0.' }),
    taxRates: t.field({
      type: [CategoryTaxInput],
      description: 'What some categories are taxed with instead.',
    }),
  }),
});

export const UpdateMarketInput = builder.inputType('UpdateMarketInput', {
  description: 'The fields to change. A code stays what it is.',
  fields: (t) => ({
    currency: t.string({ description: 'ISO 4217 code, in any case.' }),
    taxBps: t.int({ description: 'Tax in basis points.' }),
    taxRates: t.field({ type: [CategoryTaxInput], description: 'The whole new list.' }),
  }),
});

const ShippingPriceInput = builder.inputType('ShippingPriceInput', {
  description: 'What shipping costs in one market.',
  fields: (t) => ({
    marketId: t.id({ required: true, description: 'Code of the market.' }),
    price: t.field({ type: 'Money', required: true, description: 'Price in minor units.' }),
    freeAbove: t.field({ type: 'Money', description: 'Free when subtotal minus discount reaches this.' }),
  }),
});

export const CreateShippingMethodInput = builder.inputType('CreateShippingMethodInput', {
  description: 'A new shipping method.',
  fields: (t) => ({
    id: t.id({ description: 'Id, such as `standard`. Made from the name when absent.' }),
    name: t.string({ required: true, description: 'Name shown to customers.' }),
    prices: t.field({ type: [ShippingPriceInput], description: 'At most one price per market.' }),
  }),
});

export const UpdateShippingMethodInput = builder.inputType('UpdateShippingMethodInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    name: t.string({ description: 'Name shown to customers.' }),
    prices: t.field({ type: [ShippingPriceInput], description: 'The whole new list.' }),
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const FixedDiscountInput = builder.inputType('FixedDiscountInput', {
  description: 'An amount off.',
  fields: (t) => ({
    amount: t.field({ type: 'Money', required: true, description: 'Minor units off.' }),
    currency: t.string({
      required: true,
      description: 'ISO 4217 code, in any case: taken off in this one alone.',
    }),
  }),
});

const PromoDiscountInput = builder.inputType('PromoDiscountInput', {
  description: 'What a promo code takes off: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    percentage: t.int({ description: 'Basis points off: 1000 is 10 %.' }),
    fixed: t.field({ type: FixedDiscountInput, description: 'An amount off.' }),
    freeShipping: t.boolean({ description: 'True: shipping costs nothing.' }),
  }),
});

/** What a promo code takes off, in one value or, as before, in four. */
const promoDiscount = (t: InputFields, type: 'CreatePromoCodeInput' | 'UpdatePromoCodeInput') => ({
  discount: t.field({ type: PromoDiscountInput, description: 'What it takes off.' }),
  type: t.field({
    ...deprecatedField(`${type}.type`),
    type: PromoCodeTypeEnum,
    description: 'What it takes off.',
  }),
  bps: t.int({ ...deprecatedField(`${type}.bps`), description: 'Basis points off (PERCENTAGE).' }),
  amount: t.field({
    ...deprecatedField(`${type}.amount`),
    type: 'Money',
    description: 'Minor units off (FIXED).',
  }),
  currency: t.string({
    ...deprecatedField(`${type}.currency`),
    description: 'Currency of the amount (FIXED).',
  }),
});

const promoLimits = (t: InputFields) => ({
  minSubtotal: t.field({ type: 'Money', description: 'Smallest subtotal it applies to.' }),
  startsAt: t.field({ type: 'Timestamp', description: 'Not valid before.' }),
  endsAt: t.field({ type: 'Timestamp', description: 'Not valid from here on.' }),
  maxUses: t.int({ description: 'Orders it may be used for in total.' }),
  maxUsesPerCustomer: t.int({ description: 'Orders one customer may use it for.' }),
});

export const CreatePromoCodeInput = builder.inputType('CreatePromoCodeInput', {
  description: 'A new promo code.',
  fields: (t) => ({
    code: t.string({
      required: true,
      description: 'What customers type, unique in the business without regard to case.',
    }),
    ...promoDiscount(t, 'CreatePromoCodeInput'),
    ...promoLimits(t),
  }),
});

export const UpdatePromoCodeInput = builder.inputType('UpdatePromoCodeInput', {
  description: 'The fields to change; null takes a limit away.',
  fields: (t) => ({
    code: t.string({ description: 'What customers type.' }),
    ...promoDiscount(t, 'UpdatePromoCodeInput'),
    ...promoLimits(t),
  }),
});

export const CreateRoleInput = builder.inputType('CreateRoleInput', {
  description: 'A new role.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name, unique in the business.' }),
    permissions: t.field({ type: [PermissionEnum], description: 'What it allows.' }),
  }),
});

export const UpdateRoleInput = builder.inputType('UpdateRoleInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    name: t.string({ description: 'Unique in the business.' }),
    permissions: t.field({ type: [PermissionEnum], description: 'The whole new set.' }),
  }),
});
