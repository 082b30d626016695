/** GraphQL inputs of product mutations. schemas.ts validates them. */
import { builder } from '../../graphql/schema/builder.ts';
import { type InputField, inputFields } from '../../graphql/schema/field-tables.ts';
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
  fields: inputFields({
    amount: ['Money!', 'Unit price in minor units; must not exceed `price`.'],
    startsAt: ['Timestamp', 'Start of the sale. Default: immediately.'],
    endsAt: ['Timestamp', 'End of the sale, exclusive. Default: no end.'],
  }),
});

const PriceTierInput = builder.inputType('PriceTierInput', {
  description: 'Reduced unit price from a minimum quantity on.',
  fields: inputFields({
    minQuantity: ['Int!', 'Minimum number of units, at least 2.'],
    amount: ['Money!', 'Unit price in minor units; must not exceed `price`.'],
  }),
});

const GroupPriceInput = builder.inputType('GroupPriceInput', {
  description: 'Reduced unit price for members of a customer group.',
  fields: inputFields({
    groupId: ['ID!', 'Id of the customer group.'],
    amount: ['Money!', 'Unit price in minor units; must not exceed `price`.'],
  }),
});

const MarketPriceInput = builder.inputType('MarketPriceInput', {
  description: 'Prices of a variant in one market.',
  fields: inputFields({
    marketId: ['ID!', 'Code of the market.'],
    currency: ['String!', 'ISO 4217 code, case-insensitive.'],
    price: ['Money!', 'Regular unit price in minor units.'],
    compareAtPrice: ['Money', 'Original price in minor units, for display next to a reduced one.'],
    sale: [SalePriceInput, 'Sale price.'],
    tiers: [[PriceTierInput], 'Quantity discounts; at most 20.'],
    groupPrices: [[GroupPriceInput], 'Prices for customer groups; at most 20.'],
  }),
});

const VariantPricingInput = builder.inputType('VariantPricingInput', {
  description: 'Prices of a variant.',
  fields: inputFields({ markets: [[MarketPriceInput], 'Prices per market; at most one per market.'] }),
});

const InventoryInput = builder.inputType('InventoryInput', {
  description: 'Stock of a variant.',
  fields: inputFields({
    tracked: [
      'Boolean',
      'Whether stock is tracked; false means unlimited. Default: true when `quantity` is given, otherwise unchanged.',
    ],
    quantity: ['Int', 'Units in stock.'],
    lowStockThreshold: ['Int', 'Stock at or below this level counts as low.'],
  }),
});

const VariantAttributeInput = builder.inputType('VariantAttributeInput', {
  description: 'Attribute that distinguishes a variant, such as its size.',
  fields: inputFields({
    name: ['String!', 'Name of the attribute, such as `size`.'],
    value: ['String!', 'Value of the attribute, such as `XL`.'],
  }),
});

const VariantInput = builder.inputType('VariantInput', {
  description: 'Variant of a product, the unit that is sold.',
  fields: inputFields({
    id: ['ID', 'In an update: id of the existing variant to keep. Ignored on create.'],
    name: ['String', 'Name of the variant.'],
    sku: ['String', 'Stock keeping unit, unique in the business; up to 100 characters.'],
    attributes: [[VariantAttributeInput], 'Attributes that distinguish the variant; at most 50.'],
    pricing: [VariantPricingInput, 'Prices per market.'],
    inventory: [InventoryInput, 'Stock. Default: unchanged; unlimited for a new variant.'],
    gallery: [[MediaInput], 'Images of this variant.'],
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
  fields: inputFields((t) => ({
    name: ['String!', 'Name, up to 500 characters. Included in search.'],
    ...productInputFields(t),
  })),
});

export const UpdateProductInput = builder.inputType('UpdateProductInput', {
  description: 'Fields to update; omitted fields keep their value.',
  fields: inputFields((t) => ({
    name: ['String', 'Name, up to 500 characters. Included in search.'],
    ...productInputFields(t),
  })),
});

export const AdjustStockInput = builder.inputType('AdjustStockInput', {
  description: 'Adjustment of the stock of a variant.',
  fields: inputFields({
    variantId: ['ID!', 'Id of the variant.'],
    change: ['Int!', 'Units to add, or to remove when negative. Must not be 0.'],
    reason: ['String', 'Reason for the ledger, up to 500 characters.'],
  } satisfies Record<keyof AdjustStockArgs['input'], InputField>),
});
