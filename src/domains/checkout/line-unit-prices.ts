/** Unit price and tax rate of each cart line, current or locked. Pure. */
import type { CategoryTax } from '../businesses/shipping-price-and-category-tax.ts';
import type { LineWithUnitPrice } from '../pricing/compute-cart-price.ts';
import { computeUnitPrice } from '../pricing/unit-price.ts';
import {
  findMarketPrice,
  listGroupIdsInPrices,
  sumUnitsByVariant,
} from '../pricing/variant-prices-and-snapshot.ts';
import type { PriceLock, ResolvedCartLine } from './checkout-data-types.ts';

interface LinePriceTerms {
  market: { code: string; currency: string; taxRates: readonly CategoryTax[] | null };
  now: number;
  /** Names of the customer's groups, by group id. */
  groups: ReadonlyMap<string, string>;
}

type LineUnitPrice = Pick<LineWithUnitPrice, 'unitPrice' | 'listPrice' | 'rule' | 'taxRate'>;

/** Ids of the customer groups that have special prices for the lines. */
export const listLinePricingGroupIds = (
  lines: readonly ResolvedCartLine[],
  market: LinePriceTerms['market'],
): string[] => listGroupIdsInPrices(lines.map(({ variant }) => findMarketPrice(variant, market)));

/** Price by line. Lines without a price in the market are omitted. */
export function computeLineUnitPrices(
  lines: readonly ResolvedCartLine[],
  { market, now, groups }: LinePriceTerms,
): Map<ResolvedCartLine, LineUnitPrice> {
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

/** Price of a quote. Undefined without a lock, or when the lock has no price for the variant. */
export function findQuotedLinePrice(
  { variantId }: ResolvedCartLine,
  lock: PriceLock | undefined,
): LineUnitPrice | undefined {
  const unitPrice = lock?.prices.get(variantId);
  const taxBps = lock?.taxes.get(variantId);
  return unitPrice === undefined
    ? undefined
    : { unitPrice, taxRate: taxBps === undefined ? undefined : { taxBps } };
}
