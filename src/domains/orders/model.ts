/** An order as callers see it, and its table. */

import { defineTable } from '../../db/records/table.ts';
import type { OrderModel } from '../../generated/prisma/models.ts';
import type { Block } from '../blocks/model.ts';
import type { StatusEntry } from '../shared/model.ts';
import type { PostalAddress } from '../shared/postal-address.ts';
import { hideStatusActors } from '../shared/status-history.ts';
import type { LineUnits } from './fulfilment/line-units.ts';
import type { OrderStatus, PaymentStatus } from './status-transitions.ts';

/** How customers pay at checkout; `CARD_PROVIDER` may have a name of its own in requests. */
export const paymentMethods = ['CREDIT_CARD', 'CARD_PROVIDER', 'FREE'] as const;

export const lineTypes = ['PRODUCT_VARIANT'] as const;

export interface OrderLine {
  type: (typeof lineTypes)[number];
  productId: string;
  variantId: string;
  /** As they were when the order was made; the product may be gone by now. */
  name: string;
  variantName?: string | undefined;
  sku?: string | undefined;
  quantity: number;
  unitPrice: number;
  totalPrice: number;
  discount: number;
  tax: number;
  /** What its category is taxed with, where that is not the rate of the order. */
  taxBps?: number | undefined;
  /** Units that came out of tracked stock: the others cannot go back to it. */
  taken?: number | undefined;
  /** Units whose money went back, and units that went back to stock. */
  refunded?: number | undefined;
  restocked?: number | undefined;
}

export const fulfilmentStatuses = ['SHIPPED', 'DELIVERED'] as const;

/** Units that were shipped together. */
export interface Fulfilment {
  id: string;
  status: (typeof fulfilmentStatuses)[number];
  lines: LineUnits[];
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  trackingUrl?: string | undefined;
  createdAt: number;
  deliveredAt?: number | undefined;
}

export const returnStatuses = ['REQUESTED', 'ACCEPTED', 'REFUSED', 'WITHDRAWN'] as const;

export interface ReturnLine extends LineUnits {
  /** Once accepted: how many of the units that were asked for. Absent: all of them, in records from before there was a part. */
  accepted?: number | undefined;
  /** Once accepted: whether the units go back to stock. */
  restock?: boolean | undefined;
}

/** Units that a customer wants to give back. */
export interface OrderReturn {
  id: string;
  status: (typeof returnStatuses)[number];
  lines: ReturnLine[];
  /** Why, in the words of the customer, and why not, in those of the business. */
  reason?: string | undefined;
  refusal?: string | undefined;
  /** Once accepted: the refunds that were asked for. */
  refundIds?: string[] | undefined;
  createdAt: number;
  decidedAt?: number | undefined;
  /** When the money for the units was sent back. */
  refundedAt?: number | undefined;
}

export interface Order {
  id: string;
  businessId: string;
  /** Readable: 1001 is the first of its business, without gaps. 0 until the database has given one. */
  number: number;
  /** What it was known by where it was placed, if that was elsewhere. */
  externalReference?: string | undefined;
  customerId?: string | undefined;
  market: string;
  currency: string;
  lines: OrderLine[];
  blocks: Block[];
  shippingAddress?: PostalAddress | undefined;
  /** Absent: the same as where it goes. */
  billingAddress?: PostalAddress | undefined;
  /** What its customer reads, such as `de-AT`: mails are written in it. */
  locale?: string | undefined;
  subtotal: number;
  tax: number;
  taxBps?: number | undefined;
  shipping: number;
  discount: number;
  total: number;
  promoCode?: string | undefined;
  shippingMethodId?: string | undefined;
  paymentMethod?: string | undefined;
  /** Oldest first; absent: none yet. */
  fulfilments?: Fulfilment[] | undefined;
  returns?: OrderReturn[] | undefined;
  statuses: StatusEntry<OrderStatus>[];
  paymentStatus: StatusEntry<PaymentStatus>[];
  expiresAt?: number | undefined;
  /** Where an unpaid checkout came from, see holding.ts. */
  heldFrom?: string | undefined;
  /** What the payment provider has taken, and what of it went back. */
  captured: number;
  refunded: number;
  disputedAt?: number | undefined;
  version: number;
  createdAt: number;
  updatedAt: number;
}

export const orders = defineTable<Order, OrderModel, { paymentStatuses: 'paymentStatus' }>('orders', 'o', {
  id: 'fixed',
  businessId: 'fixed',
  number: 'fixed',
  externalReference: 'fixed',
  customerId: 'column',
  market: 'column',
  currency: 'column',
  lines: 'json',
  blocks: 'json',
  shippingAddress: 'json',
  billingAddress: 'json',
  locale: 'column',
  subtotal: 'column',
  tax: 'column',
  taxBps: 'column',
  shipping: 'column',
  discount: 'column',
  total: 'column',
  promoCode: 'column',
  shippingMethodId: 'column',
  paymentMethod: 'column',
  fulfilments: 'json',
  returns: 'json',
  statuses: 'json',
  paymentStatuses: { holds: 'paymentStatus' },
  status: 'computed',
  paymentStatus: 'computed',
  expiresAt: 'column',
  heldFrom: 'column',
  claimedUntil: 'apart',
  captured: 'column',
  refunded: 'column',
  disputedAt: 'column',
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});

/** Customers do not learn who of the staff moved their order. */
export const redactStatusActors = (order: Order, staff: boolean, reader: string | null): Order =>
  staff
    ? order
    : {
        ...order,
        statuses: hideStatusActors(order.statuses, reader),
        paymentStatus: hideStatusActors(order.paymentStatus, reader),
      };
