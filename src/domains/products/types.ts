/** GraphQL types of the catalogue. */

import { pureField } from '../../graphql/fast/pure-fields.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import { BlockObject } from '../blocks/types.ts';
import { defineStatusEntryTypes, MediaType } from '../shared/types.ts';
import type {
  GroupPrice,
  Inventory,
  MarketPrice,
  PriceTier,
  Product,
  productStatuses,
  SalePrice,
  StockLevel,
  Variant,
} from './model.ts';

export const ProductStatusEnum = builder.enumType('ProductStatus', {
  description: 'ACTIVE products are visible to everybody; DRAFT and ARCHIVED ones to staff.',
  values: enumValues<(typeof productStatuses)[number]>({
    ACTIVE: 'Everybody sees it and may buy it.',
    DRAFT: 'Only staff see it; it was not sold yet.',
    ARCHIVED: 'Only staff see it; it is sold no more.',
  }),
});

export const { entry: ProductStatusEntry, input: ProductStatusEntryInput } = defineStatusEntryTypes(
  'ProductStatusEntry',
  ProductStatusEnum,
);

const SalePriceType = builder.objectRef<SalePrice>('SalePrice').implement({
  description: 'A lower price for a time.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Money', description: 'Price in minor units.' }),
    startsAt: t.expose('startsAt', { type: 'Timestamp', nullable: true, description: 'Not on sale before.' }),
    endsAt: t.expose('endsAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Not on sale from here on.',
    }),
  }),
});

const PriceTierType = builder.objectRef<PriceTier>('PriceTier').implement({
  description: 'A lower price for whoever orders so many pieces.',
  fields: (t) => ({
    minQuantity: t.exposeInt('minQuantity', {
      description: 'Pieces of the variant in the whole order from which it counts.',
    }),
    amount: t.expose('amount', { type: 'Money', description: 'Price of each piece, in minor units.' }),
  }),
});

const GroupPriceType = builder.objectRef<GroupPrice>('GroupPrice').implement({
  description: 'A lower price for the members of a customer group.',
  fields: (t) => ({
    groupId: t.exposeID('groupId', { description: 'Id of the group. One that is gone has no members.' }),
    amount: t.expose('amount', { type: 'Money', description: 'Price of each piece, in minor units.' }),
  }),
});

const MarketPriceType = builder.objectRef<MarketPrice>('MarketPrice').implement({
  description: 'What a variant costs in one market.',
  fields: (t) => ({
    marketId: t.exposeID('marketId', { description: 'Code of the market.' }),
    market: t.exposeID('marketId', { description: 'The same as `marketId`, as orders and quotes call it.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    price: t.expose('price', { type: 'Money', description: 'Price in minor units.' }),
    compareAtPrice: t.expose('compareAtPrice', {
      type: 'Money',
      nullable: true,
      description: 'Original price, shown beside a sale price.',
    }),
    sale: t.expose('sale', {
      type: SalePriceType,
      nullable: true,
      description: 'What it costs instead of `price` for a time, which may be still to come or over.',
    }),
    tiers: t.expose('tiers', {
      type: [PriceTierType],
      nullable: true,
      description: 'What it costs from so many pieces on.',
    }),
    groupPrices: t.expose('groupPrices', {
      type: [GroupPriceType],
      nullable: true,
      description: 'What it costs for customer groups; null for others than staff.',
    }),
  }),
});

const VariantPricingType = builder.objectRef<{ markets: MarketPrice[] }>('VariantPricing').implement({
  description: 'The prices of a variant.',
  fields: (t) => ({
    markets: t.expose('markets', { type: [MarketPriceType], description: 'One price per market.' }),
  }),
});

const InventoryType = builder.objectRef<Inventory>('Inventory').implement({
  description: 'The stock of a variant.',
  fields: (t) => ({
    tracked: t.exposeBoolean('tracked', { description: 'False: stock is unlimited.' }),
    quantity: t.exposeInt('quantity', { description: 'Pieces in stock, when tracked.' }),
    lowStockThreshold: t.exposeInt('lowStockThreshold', {
      nullable: true,
      description: 'At or below this level stock counts as low.',
    }),
    isLow: t.boolean({
      ...pureField,
      description: 'Whether stock is tracked and at or below its threshold.',
      resolve: ({ tracked, quantity, lowStockThreshold }) =>
        tracked && lowStockThreshold !== undefined && quantity <= lowStockThreshold,
    }),
  }),
});

const VariantAttributeType = builder
  .objectRef<{ name: string; value: string }>('VariantAttribute')
  .implement({
    description: 'What sets a variant apart, such as a size.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Such as `size`.' }),
      value: t.exposeString('value', { description: 'Such as `XL`.' }),
    }),
  });

export const VariantType = builder.objectRef<Variant>('Variant').implement({
  description: 'One form in which a product is sold.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the variant.' }),
    name: t.exposeString('name', { description: 'Name of the variant.' }),
    sku: t.exposeString('sku', {
      nullable: true,
      description: 'Stock keeping unit, unique in the business.',
    }),
    attributes: t.expose('attributes', { type: [VariantAttributeType], description: 'What sets it apart.' }),
    pricing: t.expose('pricing', { type: VariantPricingType, description: 'Its prices.' }),
    inventory: t.expose('inventory', {
      type: InventoryType,
      description: 'What is there, and whether it is counted.',
    }),
    gallery: t.expose('gallery', {
      type: [MediaType],
      nullable: true,
      description: 'Images of this variant.',
    }),
  }),
});

export const ProductType = builder.objectRef<Product>('Product').implement({
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'Something the business sells.',
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the product.' }),
      businessId: t.exposeID('businessId', { description: 'The business that sells it.' }),
      name: t.exposeString('name', { description: 'What customers call it; searched, too.' }),
      slug: t.exposeString('slug', { description: 'Readable address, unique in the business.' }),
      description: t.exposeString('description', {
        description: 'What customers read about it; may be empty.',
      }),
      category: t.exposeString('category', { description: 'Category, a list filter.' }),
      gallery: t.expose('gallery', { type: [MediaType], description: 'Images.' }),
      variants: t.expose('variants', { type: [VariantType], description: 'The forms in which it is sold.' }),
      statuses: t.expose('statuses', {
        type: [ProductStatusEntry],
        description: 'History of its status; the last entry is current.',
      }),
      status: t.field({
        ...pureField,
        type: ProductStatusEnum,
        description: 'Current status.',
        resolve: (product) => product.statuses.at(-1)?.status ?? 'DRAFT',
      }),
      blocks: t.expose('blocks', { type: [BlockObject], description: 'Custom fields.' }),
      version: t.exposeInt('version', {
        description: 'Grows with every change; send it back to guard an update.',
      }),
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
      updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
    }) satisfies Record<keyof Product | 'status', unknown>,
});

export const StockLevelType = builder.objectRef<StockLevel>('StockLevel').implement({
  description: 'What is left of a variant.',
  fields: (t) => ({
    productId: t.exposeID('productId', { description: 'Id of the product.' }),
    variantId: t.exposeID('variantId', { description: 'Id of the variant.' }),
    sku: t.exposeString('sku', { nullable: true, description: 'Stock keeping unit of the variant.' }),
    inventory: t.expose('inventory', {
      type: InventoryType,
      description: 'What is there, and whether it is counted.',
    }),
  }),
});

export const ProductConnection = createConnectionType('Product', ProductType);
