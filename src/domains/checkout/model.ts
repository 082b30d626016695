/** What is bought, at which promised prices, and what comes of it. */
import type { Block } from '../blocks/model.ts';
import type { Product, Variant } from '../products/model.ts';
import type { PostalAddress } from '../shared/postal-address.ts';

export interface CartLine {
  productId: string;
  variantId: string;
  quantity: number;
}

/** A line of what the business sells. */
export interface ResolvedCartLine extends CartLine {
  /** The line on the wire: `lines.0`. */
  field: string;
  product: Product;
  variant: Variant;
}

/** What is to be ordered, and how it is paid. */
export interface PurchaseInput {
  market: string;
  items: readonly CartLine[];
  blocks?: Block[] | undefined;
  shippingAddress?: PostalAddress | undefined;
  billingAddress?: PostalAddress | undefined;
  locale?: string | undefined;
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
  paymentMethod?: string | undefined;
  quote?: string | undefined;
  returnUrl?: string | undefined;
  cancelUrl?: string | undefined;
}

/** What a quote is for. */
export interface QuotedCart {
  businessId: string;
  market: string;
  lines: readonly CartLine[];
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
  customerId?: string | undefined;
}

/** Prices promised by a quote. */
export interface PriceLock {
  /** Unit price by variant. */
  prices: ReadonlyMap<string, number>;
  /** Tax rate by variant, of those that are not taxed as everything else. */
  taxes: ReadonlyMap<string, number>;
  taxBps: number;
  discount: number;
  shipping: number;
  currency: string;
  shippingMethodId: string | undefined;
  promoCode: string | undefined;
  expiresAt: number;
}

/** A genuine quote. */
export interface VerifiedQuote {
  lock: PriceLock;
  /** Whether business, market and lines are those that were quoted, to this customer if it was for one alone. */
  isForCart: boolean;
}

export interface CheckoutResult {
  orderId: string;
  orderNumber: number;
  /** Where to pay; absent when there is nothing to pay. */
  checkoutUrl?: string | undefined;
  status?: 'COMPLETED' | undefined;
}
