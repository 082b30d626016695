/** GraphQL types of the price breakdown of a line. */
import { currencyPropertyTypeOptions } from '../../graphql/schema/add-price-and-date-time-siblings.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import type { LinePriceStep, linePriceStepKinds } from './line-price-breakdown.ts';

const AppliedKindEnum = builder.enumType('AppliedKind', {
  description: 'Kind of a price step.',
  values: {
    SALE: { description: 'Sale price for a limited time.' },
    TIER: { description: 'Volume price from a minimum quantity.' },
    GROUP: { description: 'Price for a customer group.' },
    PROMO: { description: "The line's share of the promo code discount." },
    TAX: { description: "The line's share of the tax." },
  } satisfies Record<(typeof linePriceStepKinds)[number], { description: string }>,
});

export const AppliedPriceStepGraphqlType = builder
  .objectRef<LinePriceStep & { currency: string }>('Applied')
  .implement({
    ...currencyPropertyTypeOptions,
    description: 'One step from the list price of a line to its final price with tax.',
    fields: outputFields((t) => ({
      kind: t.expose('kind', { type: AppliedKindEnum, description: 'Kind of the step.' }),
      before: [
        'Money!',
        'Price of the line before the step, in minor units. First step: quantity times list price.',
      ],
      after: [
        'Money!',
        'Price of the line after the step, in minor units. Last step: totalPrice - discount + tax.',
      ],
      why: ['String!', 'Human-readable explanation.'],
      endsAt: ['Timestamp', 'End of the sale (SALE); null when it has no end.'],
      minQuantity: ['Int', 'Minimum quantity of the volume price (TIER).'],
      group: ['String', 'Name of the customer group (GROUP).'],
      promoCode: ['String', 'Code that was applied; PROMO only.'],
      taxBps: ['Int', 'Tax rate in basis points (TAX).'],
      category: [
        'String',
        'Product category with this tax rate (TAX); null for the standard rate of the market.',
      ],
    })),
  });
