/** A product as others than staff see it: nobody is told who changed it, nor what it costs for customer groups. Pure. */

import { hasPermissionSql } from '../../../auth/permission-sql.ts';
import { statusActorVisibility } from '../../shared/status-history.ts';
import type { GroupPrice, MarketPrice, Product, Variant } from '../model.ts';

export const productPublicView = {
  forPublic: (product: Product, reader: string | null): Product =>
    withoutGroupPrices(statusActorVisibility.forPublic(product, reader)),
  concerns: statusActorVisibility.concerns,
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

/** What was left out, by what is shown: apart from it, so that no copy and no answer of it can hold any of that. */
const hidden = new WeakMap<MarketPrice, GroupPrice[]>();

function publicPrice({ groupPrices = [], ...price }: MarketPrice): MarketPrice {
  hidden.set(price, groupPrices);
  return price;
}

/** With what it costs for customer groups, whoever it was made for: to reckon with, never to be shown. */
export function withGroupPrices(price: MarketPrice): MarketPrice {
  const groupPrices = hidden.get(price);
  return groupPrices ? { ...price, groupPrices } : price;
}

/** Who sees drafts of products. */

/** SQL: the product is public, or the user in parameter `user` may write products of the business in `business`. */
export const isProductVisible = (business: string, user: string) =>
  `(p.status = 'ACTIVE' or ${hasPermissionSql(business, user, 'PRODUCTS_WRITE')})`;
