/** JSON documents of markets and shipping methods, and the lookup key of promo codes. */

/** Stored lookup key of a promo code. Codes are compared case-insensitively. */
export const toPromoCodeKey = (code: string) => code.toLowerCase();

/** Shipping price in one market. */
export interface ShippingPrice {
  marketId: string;
  price: number;
  freeAbove?: number | undefined;
}

/** Tax rate of one product category in a market, which replaces the `taxBps` of the market. */
export interface CategoryTax {
  category: string;
  taxBps: number;
}
