/** GraphQL type of the lines of orders and quotes. */
import { currencyPropertyTypeOptions } from '../../../graphql/schema/add-price-and-date-time-siblings.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { outputFields } from '../../../graphql/schema/field-tables.ts';
import type { LinePriceStep } from '../../pricing/line-price-breakdown.ts';
import { AppliedPriceStepGraphqlType } from '../../pricing/line-price-breakdown-graphql-types.ts';
import { ProductGraphqlType, VariantGraphqlType } from '../../products/types.ts';
import type { OrderLineProgress } from '../fulfilment/fulfilment-progress-by-line.ts';
import { OrderLineTypeEnum } from '../graphql-enums.ts';
import type { OrderLine } from '../model.ts';
import { loadOrderProduct } from './load-referenced-records.ts';

export const OrderLineGraphqlType = builder
  .objectRef<OrderLine & { currency: string; progress?: OrderLineProgress; applied?: LinePriceStep[] }>(
    'OrderLine',
  )
  .implement({
    ...currencyPropertyTypeOptions,
    description: 'Line of an order or quote, with a snapshot of the sold variant.',
    fields: outputFields((t) => ({
      type: t.expose('type', { type: OrderLineTypeEnum, description: 'Type of item.' }),
      productId: ['ID!', 'Id of the product.'],
      variantId: ['ID!', 'Id of the variant.'],
      name: ['String!', 'Name of the product at the time of sale.'],
      variantName: ['String', 'Name of the variant at the time of sale; null if it had none.'],
      sku: ['String', 'SKU at the time of sale; null if it had none.'],
      quantity: ['Int!', 'Number of units.'],
      unitPrice: ['Money!', 'Price of one unit, in minor units.'],
      totalPrice: ['Money!', 'quantity times unitPrice, in minor units.'],
      discount: t.expose('discount', {
        type: 'Money',
        description: "The line's share of the discount, in minor units.",
      }),
      tax: t.expose('tax', { type: 'Money', description: "The line's share of the tax, in minor units." }),
      taxBps: [
        'Int',
        'Tax rate of the product category, in basis points; null when the standard rate applies.',
      ],
      applied: t.field({
        pure: true,
        type: [AppliedPriceStepGraphqlType],
        nullable: true,
        description: 'Steps from list price to final price. Only in quotes; null in orders.',
        resolve: ({ applied, currency }) => applied?.map((step) => ({ currency, ...step })),
      }),
      refundedQuantity: t.int({
        description: 'Number of refunded units.',
        resolve: (line) => line.refunded ?? 0,
      }),
      product: t.field({
        type: ProductGraphqlType,
        nullable: true,
        description: 'Current product; null when it was deleted or is not visible to the viewer.',
        resolve: (line, _args, ctx) => loadOrderProduct(ctx, line.productId),
      }),
      variant: t.field({
        type: VariantGraphqlType,
        nullable: true,
        description: 'Current variant; null when it was deleted or is not visible to the viewer.',
        resolve: async (line, _args, ctx) =>
          (await loadOrderProduct(ctx, line.productId))?.variants.find(({ id }) => id === line.variantId),
      }),
    })),
  });
