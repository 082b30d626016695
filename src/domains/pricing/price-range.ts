/** Range of the current prices of variants, and of the prices before their reduction. Pure. */
import type { MarketPrice } from '../products/model.ts';
import { computeUnitPrice } from './unit-price.ts';

export interface AmountRange {
  min: number;
  max: number;
}

export interface PriceRangeContext {
  now: number;
  groups?: ReadonlyMap<string, string> | undefined;
}

const rangeOf = (amounts: readonly number[]): AmountRange | undefined =>
  amounts.length > 0 ? { min: Math.min(...amounts), max: Math.max(...amounts) } : undefined;

const priceOfOneUnit = (price: MarketPrice, context: PriceRangeContext) =>
  computeUnitPrice(price, { ...context, quantity: 1 });

/** Range of the prices of one unit. Undefined without prices. */
export const computePriceRange = (
  prices: readonly MarketPrice[],
  context: PriceRangeContext,
): AmountRange | undefined => rangeOf(prices.map((price) => priceOfOneUnit(price, context).unitPrice));

/** Range of the higher of `compareAtPrice` and regular price, over the variants that cost less now. Undefined if none does. */
export const computeCompareAtPriceRange = (
  prices: readonly MarketPrice[],
  context: PriceRangeContext,
): AmountRange | undefined =>
  rangeOf(
    prices.flatMap((price) => {
      const { unitPrice, listPrice } = priceOfOneUnit(price, context);
      const before = Math.max(price.compareAtPrice ?? 0, listPrice);
      return before > unitPrice ? [before] : [];
    }),
  );
