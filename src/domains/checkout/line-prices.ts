/** What each line of a cart costs a piece as things are now. Pure. */
import { marketPrice, unitsByVariant } from '../pricing/catalogue.ts';
import { type UnitPrice, unitPriceOf } from '../pricing/unit-price.ts';
import type { SoldLine } from './model.ts';

export interface PriceTerms {
  market: { code: string; currency: string };
  now: number;
}

/** By line; what has no price in the market is not in it. */
export function linePrices(
  lines: readonly SoldLine[],
  { market, ...terms }: PriceTerms,
): Map<SoldLine, UnitPrice> {
  const units = unitsByVariant(lines);
  return new Map(
    lines.flatMap((line) => {
      const price = marketPrice(line.variant, market);
      const quantity = units.get(line.variantId) ?? line.quantity;
      return price ? [[line, unitPriceOf(price, { ...terms, quantity })]] : [];
    }),
  );
}
