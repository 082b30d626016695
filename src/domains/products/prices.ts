/** What a variant costs in one market. */
import { builder } from '../../graphql/builder.ts';
import { PriceType } from '../shared/price.ts';
import { VariantType } from './types.ts';

builder.objectField(VariantType, 'price', (t) =>
  t.field({
    type: PriceType,
    nullable: true,
    description: 'What it costs in a market; null when it is not sold there.',
    args: { market: t.arg.id({ required: true, description: 'Code of the market, in any case.' }) },
    resolve: ({ pricing }, { market }) => {
      const found = pricing.markets.find(({ marketId }) => marketId.toLowerCase() === market.toLowerCase());
      return found ? { amount: found.price, currency: found.currency } : null;
    },
  }),
);
