/** What each line of a cart costs a piece as things are now. Pure. */
import type { CategoryTax } from '../businesses/rules.ts';
import { marketPrice, unitsByVariant } from '../pricing/catalogue.ts';
import type { PriceLine } from '../pricing/rules.ts';
import { unitPriceOf } from '../pricing/unit-price.ts';
import type { SoldLine } from './model.ts';

export interface PriceTerms {
  market: { code: string; currency: string; taxRates: readonly CategoryTax[] | null };
  now: number;
}

export type LinePrice = Pick<PriceLine, 'unitPrice' | 'plainPrice' | 'rule' | 'taxRate'>;

/** By line; what has no price in the market is not in it. */
export function linePrices(
  lines: readonly SoldLine[],
  { market, ...terms }: PriceTerms,
): Map<SoldLine, LinePrice> {
  const units = unitsByVariant(lines);
  return new Map(
    lines.flatMap((line) => {
      const price = marketPrice(line.variant, market);
      const quantity = units.get(line.variantId) ?? line.quantity;
      const taxRate = market.taxRates?.find(({ category }) => category === line.product.category);
      return price ? [[line, { ...unitPriceOf(price, { ...terms, quantity }), taxRate }]] : [];
    }),
  );
}
