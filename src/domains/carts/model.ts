/** Stored cart and its table. Prices are not stored; read/cart-with-lazy-prices.ts evaluates them on each read. */
import { defineTable } from '../../db/index.ts';
import type { CartModel } from '../../generated/prisma/models.ts';
import type { Block } from '../blocks/model.ts';
import type { PostalAddress } from '../shared/postal-address-schema-and-rules.ts';

export interface StoredCartLine {
  id: string;
  productId: string;
  variantId: string;
  quantity: number;
  /** Options of the customer for this line, such as an engraving. */
  blocks: Block[];
  /** Snapshot from when the line was added or last updated; the product may have been deleted since. */
  name: string;
  variantName?: string | undefined;
  sku?: string | undefined;
  unitPrice?: number | undefined;
  currency?: string | undefined;
  addedAt: number;
}

export interface StoredCart {
  id: string;
  businessId: string;
  customerId: string;
  market: string;
  lines: StoredCartLine[];
  blocks: Block[];
  shippingAddress?: PostalAddress | undefined;
  billingAddress?: PostalAddress | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  marketingConsent?: boolean | undefined;
  note?: string | undefined;
  promoCode?: string | undefined;
  shippingMethodId?: string | undefined;
  abandonedAt?: number | undefined;
  version: number;
  createdAt: number;
  updatedAt: number;
}

export const cartTable = defineTable<StoredCart, CartModel>('carts', 'c', {
  id: 'fixed',
  businessId: 'fixed',
  customerId: 'fixed',
  market: 'column',
  lines: 'json',
  blocks: 'json',
  shippingAddress: 'json',
  billingAddress: 'json',
  email: 'column',
  phone: 'column',
  marketingConsent: 'column',
  note: 'column',
  promoCode: 'column',
  shippingMethodId: 'column',
  abandonedAt: 'column',
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});
