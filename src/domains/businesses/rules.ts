/** How a business's codes are compared, and what its documents look like. */

/** Promo codes are compared without case: this is what is stored and looked up. */
export const promoCodeKey = (code: string) => code.toLowerCase();

/** What shipping costs in one market. */
export interface ShippingPrice {
  marketId: string;
  price: number;
  freeAbove?: number | undefined;
}

/** What products of one category are taxed with in a market, instead of its `taxBps`. */
export interface CategoryTax {
  category: string;
  taxBps: number;
}
