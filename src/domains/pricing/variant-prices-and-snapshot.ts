/** Helpers on catalogue variants: market price, group prices, and the snapshot that an order stores. Pure. */
import type { MarketPrice, PricingProduct, Variant } from '../products/model.ts';

/** Market codes are case-insensitive. */
export const normalizeMarketCode = (code: string) => code.toLowerCase();

/** Price of the variant in a market. Undefined when its currency differs from that of the market. */
export const findMarketPrice = (
  { pricing }: Variant,
  market: { code: string; currency: string },
): MarketPrice | undefined =>
  pricing.markets.find(
    ({ marketId, currency }) =>
      normalizeMarketCode(marketId) === normalizeMarketCode(market.code) && currency === market.currency,
  );

/** Ids of all customer groups with a group price among these prices. */
export const listGroupIdsInPrices = (prices: Iterable<MarketPrice | undefined>): string[] => [
  ...new Set([...prices].flatMap((price) => price?.groupPrices?.map(({ groupId }) => groupId) ?? [])),
];

/** Total units per variant id across all lines. */
export function sumUnitsByVariant(
  lines: Iterable<{ variantId: string; quantity: number }>,
): Map<string, number> {
  const units = new Map<string, number>();
  for (const { variantId, quantity } of lines) units.set(variantId, (units.get(variantId) ?? 0) + quantity);
  return units;
}

/** Snapshot of a variant that order lines store. */
export const snapshotVariant = (product: PricingProduct, variant: Variant) => ({
  type: 'PRODUCT_VARIANT' as const,
  productId: product.id,
  variantId: variant.id,
  name: product.name,
  variantName: variant.name || undefined,
  sku: variant.sku,
});
