/** What each line of a cart costs a piece as things are now. Pure. */
import type { CategoryTax } from '../businesses/rules.ts';
import type { PriceLine } from '../pricing/rules.ts';
import { computeUnitPrice } from '../pricing/unit-price.ts';
import { findMarketPrice, groupIdsInPrices, sumUnitsByVariant } from '../pricing/variant-pricing.ts';
import type { ResolvedCartLine } from './model.ts';

export interface PriceTerms {
  market: { code: string; currency: string; taxRates: readonly CategoryTax[] | null };
  now: number;
  /** Names of the groups that the customer is in, by id. */
  groups: ReadonlyMap<string, string>;
}

export type LinePrice = Pick<PriceLine, 'unitPrice' | 'plainPrice' | 'rule' | 'taxRate'>;

/** The customer groups that the lines have prices for. */
export const lineGroupIds = (lines: readonly ResolvedCartLine[], market: PriceTerms['market']): string[] =>
  groupIdsInPrices(lines.map(({ variant }) => findMarketPrice(variant, market)));

/** By line; what has no price in the market is not in it. */
export function priceLines(
  lines: readonly ResolvedCartLine[],
  { market, now, groups }: PriceTerms,
): Map<ResolvedCartLine, LinePrice> {
  const units = sumUnitsByVariant(lines);
  return new Map(
    lines.flatMap((line) => {
      const price = findMarketPrice(line.variant, market);
      const quantity = units.get(line.variantId) ?? line.quantity;
      const taxRate = market.taxRates?.find(({ category }) => category === line.product.category);
      return price ? [[line, { taxRate, ...computeUnitPrice(price, { now, groups, quantity }) }]] : [];
    }),
  );
}
