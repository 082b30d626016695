/** Products as viewers who are not staff see them: without group prices and the users of the status history. */
import { nonStaffStatusHistoryViews } from '../../shared/status-history.ts';
import type { GroupPrice, MarketPrice, Product, Variant } from '../model.ts';

/** Removes the users in the status history, except the reader, and all group prices. */
export const nonStaffProductViews = {
  publicView: (product: Product, reader: string | null): Product =>
    withoutGroupPrices(nonStaffStatusHistoryViews.publicView(product, reader)),
  hasPersonalView: nonStaffStatusHistoryViews.hasPersonalView,
};

const hasGroupPrices = ({ pricing }: Variant) =>
  pricing.markets.some(({ groupPrices }) => groupPrices !== undefined);

/** Returns the same object when no variant has group prices. */
const withoutGroupPrices = (product: Product): Product =>
  product.variants.some(hasGroupPrices)
    ? { ...product, variants: product.variants.map(publicVariant) }
    : product;

const publicVariant = (variant: Variant): Variant =>
  hasGroupPrices(variant)
    ? { ...variant, pricing: { markets: variant.pricing.markets.map(publicPrice) } }
    : variant;

/** Removed group prices, keyed by the public price. Stored outside the price so that neither a copy nor a response can contain them. */
const removedGroupPrices = new WeakMap<MarketPrice, readonly GroupPrice[]>();

function publicPrice({ groupPrices = [], ...price }: MarketPrice): MarketPrice {
  removedGroupPrices.set(price, groupPrices);
  return price;
}

/** Restores the group prices of a public price. For price calculation only; the result must not appear in a response. */
export function restoreGroupPrices(price: MarketPrice): MarketPrice {
  const groupPrices = removedGroupPrices.get(price);
  return groupPrices ? { ...price, groupPrices } : price;
}
