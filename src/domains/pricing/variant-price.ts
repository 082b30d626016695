/** What a variant costs in one market. */
import { builder } from '../../graphql/builder.ts';
import { now } from '../../lib/time.ts';
import { VariantType } from '../products/types.ts';
import { PriceType } from '../shared/price.ts';
import { marketKey } from './catalogue.ts';
import { unitPriceOf } from './unit-price.ts';

builder.objectField(VariantType, 'price', (t) =>
  t.field({
    type: PriceType,
    nullable: true,
    description: 'What one piece costs in a market now, on sale or not; null when it is not sold there.',
    args: { market: t.arg.id({ required: true, description: 'Code of the market, in any case.' }) },
    resolve: ({ pricing }, { market }) => {
      const found = pricing.markets.find(({ marketId }) => marketKey(marketId) === marketKey(market));
      if (!found) return null;
      return { amount: unitPriceOf(found, { quantity: 1, now: now() }).unitPrice, currency: found.currency };
    },
  }),
);
