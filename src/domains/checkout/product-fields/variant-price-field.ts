/** GraphQL fields `Variant.price` and `Variant.compareAtPrice`: prices of one unit in a market, for the viewer. */
import type { Context } from '../../../context.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { fieldArgs } from '../../../graphql/schema/field-tables.ts';
import { now } from '../../../lib/time.ts';
import { loadMarketsOfBusiness } from '../../businesses/load-businesses-and-configuration.ts';
import { loadGroupNamesOfViewer } from '../../groups/load-group-names-of-customers.ts';
import { computeCompareAtPriceRange } from '../../pricing/price-range.ts';
import { computeUnitPrice } from '../../pricing/unit-price.ts';
import {
  findMarketPrice,
  listGroupIdsInPrices,
  normalizeMarketCode,
} from '../../pricing/variant-prices-and-snapshot.ts';
import type { MarketPrice, Variant } from '../../products/model.ts';
import { restoreGroupPrices } from '../../products/read/non-staff-product-views.ts';
import { VariantGraphqlType } from '../../products/types.ts';
import { PriceGraphqlType } from '../../shared/price-graphql-type.ts';

type Groups = ReadonlyMap<string, string> | undefined;

/** Amount for members of these groups; undefined if there is none. */
type ComputeAmount = (price: MarketPrice, groups: Groups) => number | undefined;

const computeCurrent: ComputeAmount = (price, groups) =>
  computeUnitPrice(price, { quantity: 1, now: now(), groups }).unitPrice;

const computeBeforeReduction: ComputeAmount = (price, groups) =>
  computeCompareAtPriceRange([price], { now: now(), groups })?.min;

/** Null when the market does not exist any more, or its currency differs from that of the price. */
async function loadVariantPrice(ctx: Context, variant: Variant, code: string, compute: ComputeAmount) {
  const markets = await loadMarketsOfBusiness(ctx, variant.businessId);
  const market = markets?.find(({ key }) => key === normalizeMarketCode(code));
  const publicPrice = market && findMarketPrice(variant, market);
  if (!publicPrice) return null;
  const price = restoreGroupPrices(publicPrice);
  const groupIds = ctx.viewer.accountUser ? listGroupIdsInPrices([price]) : [];
  // PERF: no query for the viewer's groups without group prices or without a viewer.
  const groups =
    groupIds.length > 0 ? await loadGroupNamesOfViewer(ctx, variant.businessId, groupIds) : undefined;
  const amount = compute(price, groups);
  return amount === undefined ? null : { amount, currency: price.currency };
}

const marketDescription = 'Code of the market, case-insensitive.';

builder.objectFields(VariantGraphqlType, (t) => ({
  price: t.field({
    type: PriceGraphqlType,
    nullable: true,
    description:
      "Current price of one unit in a market, including sales and the viewer's customer group prices; the same as in a quote. " +
      'Null when the market does not exist, or the variant has no price there in the currency of the market.',
    args: fieldArgs({ market: ['ID!', marketDescription] }),
    resolve: (variant, { market }, ctx) => loadVariantPrice(ctx, variant, market, computeCurrent),
  }),
  compareAtPrice: t.field({
    type: PriceGraphqlType,
    nullable: true,
    description:
      'Price of one unit before the reduction: the higher of `compareAtPrice` and the regular price. ' +
      'Null when the variant is not reduced in the market.',
    args: fieldArgs({ market: ['ID!', marketDescription] }),
    resolve: (variant, { market }, ctx) => loadVariantPrice(ctx, variant, market, computeBeforeReduction),
  }),
}));
