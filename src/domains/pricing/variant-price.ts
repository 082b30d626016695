/** What a variant costs in one market. */
import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { now } from '../../lib/time.ts';
import { viewersGroups } from '../groups/groups-of.ts';
import type { MarketPrice, Variant } from '../products/model.ts';
import { fullPrice } from '../products/public-view.ts';
import { VariantType } from '../products/types.ts';
import { PriceType } from '../shared/price.ts';
import { groupsNamed, marketKey } from './catalogue.ts';
import { unitPriceOf } from './unit-price.ts';

const forOne = (price: MarketPrice, groups?: ReadonlyMap<string, string>) => ({
  amount: unitPriceOf(price, { quantity: 1, now: now(), groups }).unitPrice,
  currency: price.currency,
});

const forViewer = async (ctx: Context, { businessId }: Variant, price: MarketPrice) =>
  forOne(price, await viewersGroups(ctx, businessId, groupsNamed([price])));

builder.objectField(VariantType, 'price', (t) =>
  t.field({
    type: PriceType,
    nullable: true,
    description:
      'What a quote would ask of the viewer for one piece in a market now: on sale or not, with the price of their customer group; ' +
      'null when it is not sold there.',
    args: { market: t.arg.id({ required: true, description: 'Code of the market, in any case.' }) },
    resolve: (variant, { market }, ctx) => {
      const shown = variant.pricing.markets.find(({ marketId }) => marketKey(marketId) === marketKey(market));
      if (!shown) return null;
      const price = fullPrice(shown);
      // Nobody has to be asked about what costs the same for everybody, nor for whom nobody knows.
      return ctx.viewer.person && price.groupPrices?.length ? forViewer(ctx, variant, price) : forOne(price);
    },
  }),
);
