/** Shipping methods that a cart can be sent with, at their current prices. Pure. */
import type { ShippingPrice } from '../businesses/shipping-price-and-category-tax.ts';
import { computeShipping } from '../pricing/compute-cart-price.ts';
import { normalizeMarketCode } from '../pricing/variant-prices-and-snapshot.ts';
import type { CartEvaluation } from './evaluate-cart.ts';

export interface ShippingOption {
  shippingMethodId: string;
  name: string;
  currency: string;
  price: number;
  /** Shipping is free from this subtotal minus discount on. */
  freeAbove?: number | undefined;
  isSelected: boolean;
}

interface PricedShippingMethod {
  id: string;
  name: string;
  prices: readonly ShippingPrice[];
}

/** Methods with a price in the market of the cart, cheapest first; empty without a market. */
export function listShippingOptions(
  methods: readonly PricedShippingMethod[],
  cart: { market: string; shippingMethodId?: string | undefined },
  { currency, totals, reduction }: Pick<CartEvaluation, 'currency' | 'totals' | 'reduction'>,
): ShippingOption[] {
  if (currency === undefined) return [];
  const net = BigInt(totals?.subtotal ?? 0) - BigInt(totals?.discount ?? 0);
  const market = normalizeMarketCode(cart.market);
  return methods
    .flatMap(({ id, name, prices }) => {
      const rate = prices.find(({ marketId }) => normalizeMarketCode(marketId) === market);
      if (!rate) return [];
      const price = Number(computeShipping(net, rate, reduction, currency));
      const isSelected = id === cart.shippingMethodId;
      return [{ shippingMethodId: id, name, currency, price, freeAbove: rate.freeAbove, isSelected }];
    })
    .toSorted((a, b) => a.price - b.price);
}
