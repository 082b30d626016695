/** What is bought, at which promised prices, and what comes of it. */

export interface CartLine {
  productId: string;
  variantId: string;
  quantity: number;
}

/** Prices promised by a quote. */
export interface PriceLock {
  /** Unit price by variant. */
  prices: ReadonlyMap<string, number>;
  taxBps: number;
  discount: number;
  shipping: number;
  currency: string;
  shippingMethodId: string | undefined;
  promoCode: string | undefined;
  expiresAt: number;
}

export interface CheckoutResult {
  orderId: string;
  /** Where to pay; absent when there is nothing to pay. */
  checkoutUrl?: string | undefined;
  status?: 'COMPLETED' | undefined;
}
