/** GraphQL inputs of the catalogue. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { zodInputFields } from '../../graphql/schema/zod-inputs.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { MediaInput } from '../shared/types.ts';
import { type AdjustStockArgs, type CreateProductArgs, productTextFields } from './schemas.ts';
import { ProductStatusEntryInput, ProductStatusEnum } from './types.ts';

const SalePriceInput = builder.inputType('SalePriceInput', {
  description: 'A lower price for a time.',
  fields: (t) => ({
    amount: t.field({
      type: 'Money',
      required: true,
      description: 'Price in minor units, at most the plain one.',
    }),
    startsAt: t.field({ type: 'Timestamp', description: 'Not on sale before. Default: at once.' }),
    endsAt: t.field({ type: 'Timestamp', description: 'Not on sale from here on. Default: never ends.' }),
  }),
});

const PriceTierInput = builder.inputType('PriceTierInput', {
  description: 'A lower price for whoever orders so many pieces.',
  fields: (t) => ({
    minQuantity: t.int({ required: true, description: 'Pieces from which it counts, at least 2.' }),
    amount: t.field({
      type: 'Money',
      required: true,
      description: 'Price of each piece, at most the plain one.',
    }),
  }),
});

const GroupPriceInput = builder.inputType('GroupPriceInput', {
  description: 'A lower price for the members of a customer group.',
  fields: (t) => ({
    groupId: t.id({ required: true, description: 'Id of the group.' }),
    amount: t.field({
      type: 'Money',
      required: true,
      description: 'Price of each piece, at most the plain one.',
    }),
  }),
});

const MarketPriceInput = builder.inputType('MarketPriceInput', {
  description: 'What a variant costs in one market.',
  fields: (t) => ({
    marketId: t.id({ required: true, description: 'Code of the market.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, in any case.' }),
    price: t.field({ type: 'Money', required: true, description: 'Price in minor units.' }),
    compareAtPrice: t.field({ type: 'Money', description: 'Original price, shown beside a sale price.' }),
    sale: t.field({ type: SalePriceInput, description: 'What it costs for a time.' }),
    tiers: t.field({ type: [PriceTierInput], description: 'What it costs from so many pieces on.' }),
    groupPrices: t.field({ type: [GroupPriceInput], description: 'What it costs for customer groups.' }),
  }),
});

const VariantPricingInput = builder.inputType('VariantPricingInput', {
  description: 'The prices of a variant.',
  fields: (t) => ({
    markets: t.field({ type: [MarketPriceInput], description: 'At most one price per market.' }),
  }),
});

const InventoryInput = builder.inputType('InventoryInput', {
  description: 'The stock of a variant.',
  fields: (t) => ({
    tracked: t.boolean({
      description: 'False: stock is unlimited. Default: true with a quantity, else as it is.',
    }),
    quantity: t.int({ description: 'Pieces in stock.' }),
    lowStockThreshold: t.int({ description: 'At or below this level stock counts as low.' }),
  }),
});

const VariantAttributeInput = builder.inputType('VariantAttributeInput', {
  description: 'What sets a variant apart.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Such as `size`.' }),
    value: t.string({ required: true, description: 'Such as `XL`.' }),
  }),
});

const VariantInput = builder.inputType('VariantInput', {
  description: 'One form in which a product is sold.',
  fields: (t) => ({
    id: t.id({ description: 'In an update: the variant to keep. Ignored on create.' }),
    name: t.string({ description: 'Name of the variant.' }),
    sku: t.string({ description: 'Stock keeping unit, unique in the business.' }),
    attributes: t.field({ type: [VariantAttributeInput], description: 'What sets it apart.' }),
    pricing: t.field({ type: VariantPricingInput, description: 'Its prices.' }),
    inventory: t.field({
      type: InventoryInput,
      description: 'Its stock. Default: as it is; unlimited for a new variant.',
    }),
    gallery: t.field({ type: [MediaInput], description: 'Images of this variant.' }),
  }),
});

type ProductFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const productFields = (t: ProductFields) =>
  ({
    slug: t.string({
      description: 'Readable address, unique in the business. Made from the name when absent.',
    }),
    ...zodInputFields(t, productTextFields),
    gallery: t.field({ type: [MediaInput], description: 'Images.' }),
    variants: t.field({
      type: [VariantInput],
      description: 'All variants; in an update the whole new list.',
    }),
    statuses: t.field({
      type: [ProductStatusEntryInput],
      description: 'Statuses to append to the history. Default on create: ACTIVE.',
    }),
    status: t.field({ type: ProductStatusEnum, description: 'Shorthand for a history of one entry.' }),
    blocks: t.field({ type: [BlockInput], description: 'Custom fields.' }),
  }) satisfies Record<Exclude<keyof CreateProductArgs['input'], 'name'>, unknown>;

export const CreateProductInput = builder.inputType('CreateProductInput', {
  description: 'A new product.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What customers call it; searched, too.' }),
    ...productFields(t),
  }),
});

export const UpdateProductInput = builder.inputType('UpdateProductInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    name: t.string({ description: 'What customers call it; searched, too.' }),
    ...productFields(t),
  }),
});

export const AdjustStockInput = builder.inputType('AdjustStockInput', {
  description: 'A change of the stock of a variant.',
  fields: (t) =>
    ({
      variantId: t.id({ required: true, description: 'The variant.' }),
      change: t.int({ required: true, description: 'Pieces that come, or go when negative.' }),
      reason: t.string({ description: 'What to say about it in the ledger.' }),
    }) satisfies Record<keyof AdjustStockArgs['input'], unknown>,
});
