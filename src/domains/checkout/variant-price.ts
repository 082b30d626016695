/** What a variant costs in one market. */
import type { Context } from '../../context.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { now } from '../../lib/time.ts';
import { loadMarketsOfBusiness } from '../businesses/load-configuration.ts';
import { loadGroupsOfViewer } from '../groups/load-memberships.ts';
import { computeUnitPrice } from '../pricing/unit-price.ts';
import { findMarketPrice, groupIdsInPrices, normalizeMarketCode } from '../pricing/variant-pricing.ts';
import type { MarketPrice, Variant } from '../products/model.ts';
import { withGroupPrices } from '../products/read/visibility.ts';
import { VariantType } from '../products/types.ts';
import { PriceType } from '../shared/price-type.ts';

const forOne = (price: MarketPrice, groups?: ReadonlyMap<string, string>) => ({
  amount: computeUnitPrice(price, { quantity: 1, now: now(), groups }).unitPrice,
  currency: price.currency,
});

/** Prices outlive their markets, and markets change their currency: what counts is what the business sells in now. */
async function priceFor(ctx: Context, variant: Variant, code: string) {
  const markets = await loadMarketsOfBusiness(ctx, variant.businessId);
  const market = markets?.find(({ key }) => key === normalizeMarketCode(code));
  const shown = market && findMarketPrice(variant, market);
  if (!shown) return null;
  const price = withGroupPrices(shown);
  // Nobody has to be asked about what costs the same for everybody, nor for whom nobody knows.
  if (!ctx.viewer.accountUser || !price.groupPrices?.length) return forOne(price);
  return forOne(price, await loadGroupsOfViewer(ctx, variant.businessId, groupIdsInPrices([price])));
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
