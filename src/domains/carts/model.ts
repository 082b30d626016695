/** A cart as it is kept, and its table. What it costs is asked whenever it is read, see view.ts. */
import { defineTable } from '../../db/records/table.ts';
import type { CartModel } from '../../generated/prisma/models.ts';
import type { Block } from '../blocks/model.ts';
import type { PostalAddress } from '../shared/postal-address.ts';

export interface StoredCartLine {
  id: string;
  productId: string;
  variantId: string;
  quantity: number;
  /** What the customer wants of it, such as an engraving. */
  blocks: Block[];
  /** As they were when the line was added or last changed; the product may be gone by now. */
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
  note?: string | undefined;
  promoCode?: string | undefined;
  shippingMethodId?: string | undefined;
  abandonedAt?: number | undefined;
  version: number;
  createdAt: number;
  updatedAt: number;
}

export const carts = defineTable<StoredCart, CartModel>('carts', 'c', {
  id: 'fixed',
  businessId: 'fixed',
  customerId: 'fixed',
  market: 'column',
  lines: 'json',
  blocks: 'json',
  shippingAddress: 'json',
  billingAddress: 'json',
  note: 'column',
  promoCode: 'column',
  shippingMethodId: 'column',
  abandonedAt: 'column',
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});
