/** GraphQL types of products, variants, prices and stock levels. */
import { currencyPropertyTypeOptions } from '../../graphql/schema/add-price-and-date-time-siblings.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { type OutputField, outputFields } from '../../graphql/schema/field-tables.ts';
import { buildOutputFieldsFromDeclarations } from '../../graphql/schema/fields-from-api-field-declarations.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { BlockGraphqlType } from '../blocks/types.ts';
import { defineStatusEntryTypes, MediaGraphqlType } from '../shared/media-and-status-graphql-types.ts';
import { productApiFields } from './api-field-declarations.ts';
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
  description:
    'Publication status. ACTIVE products are public; DRAFT and ARCHIVED ones are visible to staff only.',
  values: describedEnumValues<(typeof productStatuses)[number]>({
    ACTIVE: 'Public and for sale.',
    DRAFT: 'Not yet for sale; visible to staff only.',
    ARCHIVED: 'No longer for sale; visible to staff only.',
  }),
});

export const { entry: ProductStatusEntry, input: ProductStatusEntryInput } = defineStatusEntryTypes(
  'ProductStatusEntry',
  ProductStatusEnum,
);

/** Part of a market price, with its currency. */
type InCurrency<Part> = Part & Pick<MarketPrice, 'currency'>;

const inCurrency = <Part extends object>({ currency }: MarketPrice, part: Part): InCurrency<Part> => ({
  currency,
  ...part,
});

const SalePriceGraphqlType = builder.objectRef<InCurrency<SalePrice>>('SalePrice').implement({
  ...currencyPropertyTypeOptions,
  description: 'Reduced price for a period.',
  fields: outputFields({
    amount: ['Money!', 'Unit price in minor units.'],
    startsAt: ['Timestamp', 'Start of the sale; null: immediately.'],
    endsAt: ['Timestamp', 'End of the sale, exclusive; null: no end.'],
  }),
});

const PriceTierGraphqlType = builder.objectRef<InCurrency<PriceTier>>('PriceTier').implement({
  ...currencyPropertyTypeOptions,
  description: 'Reduced unit price from a minimum quantity on.',
  fields: outputFields({
    minQuantity: ['Int!', 'Minimum number of units of the variant in the whole order.'],
    amount: ['Money!', 'Unit price in minor units.'],
  }),
});

const GroupPriceGraphqlType = builder.objectRef<InCurrency<GroupPrice>>('GroupPrice').implement({
  ...currencyPropertyTypeOptions,
  description: 'Reduced unit price for members of a customer group.',
  fields: outputFields({
    groupId: ['ID!', 'Id of the customer group. A deleted group has no members.'],
    amount: ['Money!', 'Unit price in minor units.'],
  }),
});

const MarketPriceGraphqlType = builder.objectRef<MarketPrice>('MarketPrice').implement({
  description: 'Prices of a variant in one market.',
  fields: outputFields((t) => ({
    marketId: ['ID!', 'Code of the market.'],
    market: t.exposeID('marketId', { description: 'Code of the market, as in orders and quotes.' }),
    currency: ['String!', 'ISO 4217 code.'],
    price: ['Money!', 'Regular unit price in minor units.'],
    compareAtPrice: ['Money', 'Original price in minor units, for display next to a reduced one.'],
    sale: t.field({
      pure: true,
      type: SalePriceGraphqlType,
      nullable: true,
      description: 'Sale price; its period may be in the future or in the past.',
      resolve: (price) => price.sale && inCurrency(price, price.sale),
    }),
    tiers: t.field({
      pure: true,
      type: [PriceTierGraphqlType],
      nullable: true,
      description: 'Quantity discounts; null when there are none.',
      resolve: (price) => price.tiers?.map((tier) => inCurrency(price, tier)),
    }),
    groupPrices: t.field({
      pure: true,
      type: [GroupPriceGraphqlType],
      nullable: true,
      description: 'Prices for customer groups; null unless the viewer is staff.',
      resolve: (price) => price.groupPrices?.map((groupPrice) => inCurrency(price, groupPrice)),
    }),
  })),
});

const VariantPricingGraphqlType = builder.objectRef<Variant['pricing']>('VariantPricing').implement({
  description: 'Prices of a variant.',
  fields: (t) => ({
    markets: t.expose('markets', {
      type: [MarketPriceGraphqlType],
      description: 'Prices per market, one for each.',
    }),
  }),
});

const InventoryGraphqlType = builder.objectRef<Inventory>('Inventory').implement({
  description: 'Stock of a variant.',
  fields: outputFields((t) => ({
    tracked: ['Boolean!', 'Whether stock is tracked; false means unlimited.'],
    quantity: ['Int!', 'Units in stock; meaningful only when tracked.'],
    lowStockThreshold: ['Int', 'Stock at or below this level counts as low; null without a threshold.'],
    isLow: t.boolean({
      pure: true,
      description: 'Whether stock is tracked and at or below its threshold.',
      resolve: ({ tracked, quantity, lowStockThreshold }) =>
        tracked && lowStockThreshold !== undefined && quantity <= lowStockThreshold,
    }),
  })),
});

const VariantAttributeGraphqlType = builder
  .objectRef<{ name: string; value: string }>('VariantAttribute')
  .implement({
    description: 'Attribute that distinguishes a variant, such as its size.',
    fields: outputFields({
      name: ['String!', 'Name of the attribute, such as `size`.'],
      value: ['String!', 'Value of the attribute, such as `XL`.'],
    }),
  });

export const VariantGraphqlType = builder.objectRef<Variant>('Variant').implement({
  description: 'Variant of a product, the unit that is sold.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the variant.'],
    name: ['String!', 'Name of the variant.'],
    sku: ['String', 'Stock keeping unit, unique in the business; null without one.'],
    attributes: t.expose('attributes', {
      type: [VariantAttributeGraphqlType],
      description: 'Attributes that distinguish the variant.',
    }),
    pricing: t.expose('pricing', { type: VariantPricingGraphqlType, description: 'Prices per market.' }),
    inventory: t.expose('inventory', { type: InventoryGraphqlType, description: 'Stock of the variant.' }),
    gallery: [[MediaGraphqlType], 'Images of this variant; null when it has none of its own.'],
  })),
});

export const ProductGraphqlType = builder.objectRef<Product>('Product').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Product of a business.',
  fields: outputFields(
    (t) =>
      ({
        id: ['ID!', 'Id of the product.'],
        businessId: ['ID!', 'Id of the business that sells it.'],
        name: ['String!', 'Name. Included in search.'],
        slug: ['String!', 'Slug, unique in the business.'],
        ...buildOutputFieldsFromDeclarations(t, productApiFields),
        gallery: t.expose('gallery', { type: [MediaGraphqlType], description: 'Images of the product.' }),
        variants: t.expose('variants', {
          type: [VariantGraphqlType],
          description: 'Variants of the product.',
        }),
        statuses: t.expose('statuses', {
          type: [ProductStatusEntry],
          description: 'Status history; the last entry is the current status.',
        }),
        status: t.field({
          pure: true,
          type: ProductStatusEnum,
          description: 'Current status.',
          resolve: (product) => product.statuses.at(-1)?.status ?? 'DRAFT',
        }),
        blocks: t.expose('blocks', { type: [BlockGraphqlType], description: 'Custom fields.' }),
        version: [
          'Int!',
          'Incremented with every change, stock included. Send it with an update for optimistic locking.',
        ],
        createdAt: ['Timestamp!', 'Creation time.'],
        updatedAt: ['Timestamp!', 'Time of the last update.'],
      }) satisfies Record<keyof Product | 'status', OutputField>,
  ),
});

export const StockLevelGraphqlType = builder.objectRef<StockLevel>('StockLevel').implement({
  description: 'Stock level of a variant.',
  fields: outputFields((t) => ({
    productId: ['ID!', 'Id of the product.'],
    variantId: ['ID!', 'Id of the variant.'],
    sku: ['String', 'Stock keeping unit of the variant; null without one.'],
    inventory: t.expose('inventory', { type: InventoryGraphqlType, description: 'Stock of the variant.' }),
  })),
});

export const ProductConnection = createConnectionType('Product', ProductGraphqlType);
