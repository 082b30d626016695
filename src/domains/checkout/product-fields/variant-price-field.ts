/** GraphQL field `Variant.price`: price of one unit in a market, for the viewer. */
import type { Context } from '../../../context.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { now } from '../../../lib/time.ts';
import { loadMarketsOfBusiness } from '../../businesses/load-businesses-and-configuration.ts';
import { loadGroupNamesOfViewer } from '../../groups/load-group-names-of-customers.ts';
import { computeUnitPrice } from '../../pricing/unit-price.ts';
import {
  findMarketPrice,
  listGroupIdsInPrices,
  normalizeMarketCode,
} from '../../pricing/variant-prices-and-snapshot.ts';
import type { MarketPrice, Variant } from '../../products/model.ts';
import { restoreGroupPrices } from '../../products/read/non-staff-product-views.ts';
import { VariantObject } from '../../products/types.ts';
import { PriceObject } from '../../shared/price-graphql-type.ts';

const priceOfOneUnit = (price: MarketPrice, groups?: ReadonlyMap<string, string>) => ({
  amount: computeUnitPrice(price, { quantity: 1, now: now(), groups }).unitPrice,
  currency: price.currency,
});

/** Null when the market does not exist any more, or its currency differs from that of the price. */
async function loadVariantPrice(ctx: Context, variant: Variant, code: string) {
  const markets = await loadMarketsOfBusiness(ctx, variant.businessId);
  const market = markets?.find(({ key }) => key === normalizeMarketCode(code));
  const publicPrice = market && findMarketPrice(variant, market);
  if (!publicPrice) return null;
  const price = restoreGroupPrices(publicPrice);
  // PERF: no query for the viewer's groups without group prices or without a viewer.
  if (!ctx.viewer.accountUser || !price.groupPrices?.length) return priceOfOneUnit(price);
  return priceOfOneUnit(
    price,
    await loadGroupNamesOfViewer(ctx, variant.businessId, listGroupIdsInPrices([price])),
  );
}

builder.objectField(VariantObject, 'price', (t) =>
  t.field({
    type: PriceObject,
    nullable: true,
    description:
      "Current price of one unit in a market, including sales and the viewer's customer group prices; the same as in a quote. " +
      'Null when the market does not exist, or the variant has no price there in the currency of the market.',
    args: { market: t.arg.id({ required: true, description: 'Code of the market, case-insensitive.' }) },
    resolve: (variant, { market }, ctx) => loadVariantPrice(ctx, variant, market),
  }),
);
