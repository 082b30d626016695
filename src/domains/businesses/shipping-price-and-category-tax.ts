/** Types of the JSON values that shipping methods and markets store: prices by market, tax rates by category. */

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
