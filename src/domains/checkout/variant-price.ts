/** What a variant costs in one market. */
import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { now } from '../../lib/time.ts';
import { loadMarkets } from '../businesses/loaders.ts';
import { viewersGroups } from '../groups/groups-of.ts';
import { groupsNamed, marketKey, marketPrice } from '../pricing/catalogue.ts';
import { unitPriceOf } from '../pricing/unit-price.ts';
import type { MarketPrice, Variant } from '../products/model.ts';
import { fullPrice } from '../products/public-view.ts';
import { VariantType } from '../products/types.ts';
import { PriceType } from '../shared/price.ts';

const forOne = (price: MarketPrice, groups?: ReadonlyMap<string, string>) => ({
  amount: unitPriceOf(price, { quantity: 1, now: now(), groups }).unitPrice,
  currency: price.currency,
});

/** Prices outlive their markets, and markets change their currency: what counts is what the business sells in now. */
async function priceFor(ctx: Context, variant: Variant, code: string) {
  const markets = await loadMarkets(ctx, variant.businessId);
  const market = markets?.find(({ key }) => key === marketKey(code));
  const shown = market && marketPrice(variant, market);
  if (!shown) return null;
  const price = fullPrice(shown);
  // Nobody has to be asked about what costs the same for everybody, nor for whom nobody knows.
  if (!ctx.viewer.person || !price.groupPrices?.length) return forOne(price);
  return forOne(price, await viewersGroups(ctx, variant.businessId, groupsNamed([price])));
}

builder.objectField(VariantType, 'price', (t) =>
  t.field({
    type: PriceType,
    nullable: true,
    description:
      'What a quote would ask of the viewer for one piece in a market now: on sale or not, with the price of their customer group; ' +
      'null when it is not sold there: no such market, no price in it, or one in another currency than the market has.',
    args: { market: t.arg.id({ required: true, description: 'Code of the market, in any case.' }) },
    resolve: (variant, { market }, ctx) => priceFor(ctx, variant, market),
  }),
);
