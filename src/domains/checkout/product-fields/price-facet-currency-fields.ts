/** GraphQL fields `PriceFacet.currency` and `PriceRange.currency`, from which both get amounts with a currency. */
import type { Context } from '../../../context.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { loadMarketsOfBusiness } from '../../businesses/load-businesses-and-configuration.ts';
import type { PricedMarket } from '../../products/search/facets.ts';
import { PriceFacetGraphqlType, PriceRangeGraphqlType } from '../../products/search/types.ts';

/** Keys of markets are their codes in lower case, like the markets of facets. */
async function loadCurrency(
  { businessId, market }: PricedMarket,
  _args: object,
  ctx: Context,
): Promise<string | undefined> {
  const markets = await loadMarketsOfBusiness(ctx, businessId);
  return markets?.find(({ key }) => key === market)?.currency;
}

const currencyField = {
  nullable: true,
  description: 'ISO 4217 code of the amounts; null when the business no longer has the market.',
  resolve: loadCurrency,
} as const;

builder.objectField(PriceFacetGraphqlType, 'currency', (t) => t.string(currencyField));
builder.objectField(PriceRangeGraphqlType, 'currency', (t) => t.string(currencyField));
