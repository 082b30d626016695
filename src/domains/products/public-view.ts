/** A product as others than staff see it: nobody is told who changed it, nor what it costs for customer groups. Pure. */
import { hiddenActors } from '../shared/history.ts';
import type { MarketPrice, Product, Variant } from './model.ts';

export const publicView = {
  forPublic: (product: Product, reader: string | null): Product =>
    withoutGroupPrices(hiddenActors.forPublic(product, reader)),
  concerns: hiddenActors.concerns,
};

const hasGroupPrices = ({ pricing }: Variant) =>
  pricing.markets.some(({ groupPrices }) => groupPrices !== undefined);

/** The same object where there are none. */
const withoutGroupPrices = (product: Product): Product =>
  product.variants.some(hasGroupPrices)
    ? { ...product, variants: product.variants.map(publicVariant) }
    : product;

const publicVariant = (variant: Variant): Variant =>
  hasGroupPrices(variant)
    ? { ...variant, pricing: { markets: variant.pricing.markets.map(publicPrice) } }
    : variant;

const publicPrice = ({ groupPrices: _hidden, ...price }: MarketPrice): MarketPrice => price;
