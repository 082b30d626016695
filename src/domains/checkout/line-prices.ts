/** What each line of a cart costs a piece as things are now. Pure. */
import type { CategoryTax } from '../businesses/rules.ts';
import { groupsNamed, marketPrice, unitsByVariant } from '../pricing/catalogue.ts';
import type { PriceLine } from '../pricing/rules.ts';
import { unitPriceOf } from '../pricing/unit-price.ts';
import type { SoldLine } from './model.ts';

export interface PriceTerms {
  market: { code: string; currency: string; taxRates: readonly CategoryTax[] | null };
  now: number;
  /** Names of the groups that the customer is in, by id. */
  groups: ReadonlyMap<string, string>;
}

export type LinePrice = Pick<PriceLine, 'unitPrice' | 'plainPrice' | 'rule' | 'taxRate'>;

/** The customer groups that the lines have prices for. */
export const groupsInLines = (lines: readonly SoldLine[], market: PriceTerms['market']): string[] =>
  groupsNamed(lines.map(({ variant }) => marketPrice(variant, market)));

/** By line; what has no price in the market is not in it. */
export function linePrices(
  lines: readonly SoldLine[],
  { market, now, groups }: PriceTerms,
): Map<SoldLine, LinePrice> {
  const units = unitsByVariant(lines);
  return new Map(
    lines.flatMap((line) => {
      const price = marketPrice(line.variant, market);
      const quantity = units.get(line.variantId) ?? line.quantity;
      const taxRate = market.taxRates?.find(({ category }) => category === line.product.category);
      return price ? [[line, { taxRate, ...unitPriceOf(price, { now, groups, quantity }) }]] : [];
    }),
  );
}
