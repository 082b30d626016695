/** Types of checkout: cart lines, purchase input, price lock, result. */
import type { Block } from '../blocks/model.ts';
import type { SellingTermsRequest } from '../businesses/selling-terms.ts';
import type { PricingProduct, Variant } from '../products/model.ts';
import type { PostalAddress } from '../shared/postal-address-schema-and-rules.ts';

export interface CartLine {
  productId: string;
  variantId: string;
  quantity: number;
}

/** A cart line with its product and variant. */
export interface ResolvedCartLine extends CartLine {
  /** Path of the line in the request, such as `lines.0`. */
  field: string;
  product: PricingProduct;
  variant: Variant;
}

/** Content of a purchase and its payment details. */
export interface CheckoutValues {
  market: string;
  items: readonly CartLine[];
  blocks?: Block[] | undefined;
  shippingAddress?: PostalAddress | undefined;
  billingAddress?: PostalAddress | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  locale?: string | undefined;
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
  paymentMethod?: string | undefined;
  quote?: string | undefined;
  returnUrl?: string | undefined;
  cancelUrl?: string | undefined;
}

/** Cart that a quote is verified against. */
export interface CartForQuoteVerification extends SellingTermsRequest {
  lines: readonly CartLine[];
}

/** Prices guaranteed by a quote, in minor units. */
export interface PriceLock {
  /** Unit price by variant id. */
  prices: ReadonlyMap<string, number>;
  /** Tax rate in basis points by variant id, where it differs from `taxBps`. */
  taxes: ReadonlyMap<string, number>;
  taxBps: number;
  discount: number;
  shipping: number;
  currency: string;
  shippingMethodId: string | undefined;
  promoCode: string | undefined;
  expiresAt: number;
}

/** A quote with a valid signature. */
export interface VerifiedQuote {
  lock: PriceLock;
  /** Whether business, market and lines match the quote, and the customer if the quote is bound to one. */
  isForCart: boolean;
}

export interface CheckoutResult {
  businessId: string;
  orderId: string;
  orderNumber: number;
  /** URL of the payment page; undefined when the order is free. */
  checkoutUrl?: string | undefined;
  status?: 'COMPLETED' | undefined;
}
