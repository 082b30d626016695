/** GraphQL inputs of product mutations. schemas.ts validates them. */
import { builder } from '../../graphql/schema/builder.ts';
import { buildInputFieldsFromDeclarations } from '../../graphql/schema/fields-from-api-field-declarations.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { MediaInput } from '../shared/media-and-status-graphql-types.ts';
import { productApiFields } from './api-field-declarations.ts';
import type { AdjustStockArgs, CreateProductArgs } from './schemas.ts';
import { ProductStatusEntryInput, ProductStatusEnum } from './types.ts';

export const SelectedOptionInput = builder.inputType('SelectedOptionInput', {
  description: 'Value of one option of a product.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute, such as `size`.' }),
    value: t.string({ required: true, description: 'Value of the attribute, such as `XL`.' }),
  }),
});

const SalePriceInput = builder.inputType('SalePriceInput', {
  description: 'Reduced price for a period.',
  fields: (t) => ({
    amount: t.field({
      type: 'Money',
      required: true,
      description: 'Unit price in minor units; must not exceed `price`.',
    }),
    startsAt: t.field({ type: 'Timestamp', description: 'Start of the sale. Default: immediately.' }),
    endsAt: t.field({ type: 'Timestamp', description: 'End of the sale, exclusive. Default: no end.' }),
  }),
});

const PriceTierInput = builder.inputType('PriceTierInput', {
  description: 'Reduced unit price from a minimum quantity on.',
  fields: (t) => ({
    minQuantity: t.int({ required: true, description: 'Minimum number of units, at least 2.' }),
    amount: t.field({
      type: 'Money',
      required: true,
      description: 'Unit price in minor units; must not exceed `price`.',
    }),
  }),
});

const GroupPriceInput = builder.inputType('GroupPriceInput', {
  description: 'Reduced unit price for members of a customer group.',
  fields: (t) => ({
    groupId: t.id({ required: true, description: 'Id of the customer group.' }),
    amount: t.field({
      type: 'Money',
      required: true,
      description: 'Unit price in minor units; must not exceed `price`.',
    }),
  }),
});

const MarketPriceInput = builder.inputType('MarketPriceInput', {
  description: 'Prices of a variant in one market.',
  fields: (t) => ({
    marketId: t.id({ required: true, description: 'Code of the market.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, case-insensitive.' }),
    price: t.field({ type: 'Money', required: true, description: 'Regular unit price in minor units.' }),
    compareAtPrice: t.field({
      type: 'Money',
      description: 'Original price in minor units, for display next to a reduced one.',
    }),
    sale: t.field({ type: SalePriceInput, description: 'Sale price.' }),
    tiers: t.field({ type: [PriceTierInput], description: 'Quantity discounts; at most 20.' }),
    groupPrices: t.field({ type: [GroupPriceInput], description: 'Prices for customer groups; at most 20.' }),
  }),
});

const VariantPricingInput = builder.inputType('VariantPricingInput', {
  description: 'Prices of a variant.',
  fields: (t) => ({
    markets: t.field({ type: [MarketPriceInput], description: 'Prices per market; at most one per market.' }),
  }),
});

const InventoryInput = builder.inputType('InventoryInput', {
  description: 'Stock of a variant.',
  fields: (t) => ({
    tracked: t.boolean({
      description:
        'Whether stock is tracked; false means unlimited. Default: true when `quantity` is given, otherwise unchanged.',
    }),
    quantity: t.int({ description: 'Units in stock.' }),
    lowStockThreshold: t.int({ description: 'Stock at or below this level counts as low.' }),
  }),
});

const VariantAttributeInput = builder.inputType('VariantAttributeInput', {
  description: 'Attribute that distinguishes a variant, such as its size.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute, such as `size`.' }),
    value: t.string({ required: true, description: 'Value of the attribute, such as `XL`.' }),
  }),
});

const VariantInput = builder.inputType('VariantInput', {
  description: 'Variant of a product, the unit that is sold.',
  fields: (t) => ({
    id: t.id({ description: 'In an update: id of the existing variant to keep. Ignored on create.' }),
    name: t.string({ description: 'Name of the variant.' }),
    sku: t.string({ description: 'Stock keeping unit, unique in the business; up to 100 characters.' }),
    attributes: t.field({
      type: [VariantAttributeInput],
      description: 'Attributes that distinguish the variant; at most 50.',
    }),
    pricing: t.field({ type: VariantPricingInput, description: 'Prices per market.' }),
    inventory: t.field({
      type: InventoryInput,
      description: 'Stock. Default: unchanged; unlimited for a new variant.',
    }),
    gallery: t.field({ type: [MediaInput], description: 'Images of this variant.' }),
  }),
});

type ProductFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const productInputFields = (t: ProductFields) =>
  ({
    slug: t.string({
      description: 'Slug, unique in the business. Default on create: derived from the name.',
    }),
    ...buildInputFieldsFromDeclarations(t, productApiFields),
    categoryId: t.id({
      description: 'Id or slug of an existing category, whose slug becomes `category`; alternative to it.',
    }),
    gallery: t.field({ type: [MediaInput], description: 'Images of the product.' }),
    variants: t.field({
      type: [VariantInput],
      description: 'All variants; an update replaces the whole list. At most 500.',
    }),
    statuses: t.field({
      type: [ProductStatusEntryInput],
      description: 'Entries to append to the status history. Default on create: ACTIVE.',
    }),
    status: t.field({ type: ProductStatusEnum, description: 'Shorthand for `statuses` with one entry.' }),
    blocks: t.field({ type: [BlockInput], description: 'Custom fields.' }),
  }) satisfies Record<Exclude<keyof CreateProductArgs['input'], 'name'>, unknown>;

export const CreateProductInput = builder.inputType('CreateProductInput', {
  description: 'Fields of a new product.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name, up to 500 characters. Included in search.' }),
    ...productInputFields(t),
  }),
});

export const UpdateProductInput = builder.inputType('UpdateProductInput', {
  description: 'Fields to update; omitted fields keep their value.',
  fields: (t) => ({
    name: t.string({ description: 'Name, up to 500 characters. Included in search.' }),
    ...productInputFields(t),
  }),
});

export const AdjustStockInput = builder.inputType('AdjustStockInput', {
  description: 'Adjustment of the stock of a variant.',
  fields: (t) =>
    ({
      variantId: t.id({ required: true, description: 'Id of the variant.' }),
      change: t.int({
        required: true,
        description: 'Units to add, or to remove when negative. Must not be 0.',
      }),
      reason: t.string({ description: 'Reason for the ledger, up to 500 characters.' }),
    }) satisfies Record<keyof AdjustStockArgs['input'], unknown>,
});
