/** What the catalogue says about a variant that is sold: its price in a market, and what an order remembers of it. Pure. */
import type { MarketPrice, Product, Variant } from '../products/model.ts';

/** Codes of markets are compared without case. */
export const normalizeMarketCode = (code: string) => code.toLowerCase();

/** The variant's price in a market; a price in another currency than the market's is none. */
export const findMarketPrice = (
  { pricing }: Variant,
  market: { code: string; currency: string },
): MarketPrice | undefined =>
  pricing.markets.find(
    ({ marketId, currency }) =>
      normalizeMarketCode(marketId) === normalizeMarketCode(market.code) && currency === market.currency,
  );

/** The customer groups that any of these prices is for. */
export const groupIdsInPrices = (prices: Iterable<MarketPrice | undefined>): string[] => [
  ...new Set([...prices].flatMap((price) => price?.groupPrices?.map(({ groupId }) => groupId) ?? [])),
];

/** How many pieces of each variant there are in all lines together. */
export function sumUnitsByVariant(
  lines: Iterable<{ variantId: string; quantity: number }>,
): Map<string, number> {
  const units = new Map<string, number>();
  for (const { variantId, quantity } of lines) units.set(variantId, (units.get(variantId) ?? 0) + quantity);
  return units;
}

/** What an order remembers of what it sold. */
export const snapshotVariant = (product: Product, variant: Variant) => ({
  type: 'PRODUCT_VARIANT' as const,
  productId: product.id,
  variantId: variant.id,
  name: product.name,
  variantName: variant.name || undefined,
  sku: variant.sku,
});
