/** Order record and its database table. */
import { defineTable } from '../../db/index.ts';
import type { OrderModel } from '../../generated/prisma/models.ts';
import type { Block } from '../blocks/model.ts';
import type { StatusHistoryEntry } from '../shared/media-and-status-history-types.ts';
import type { PostalAddress } from '../shared/postal-address-schema-and-rules.ts';
import { hideStatusActors } from '../shared/status-history.ts';
import type { QuantityAtLineIndex } from './fulfilment/quantities-by-line-index.ts';
import type { OrderStatus, PaymentStatus } from './status-transitions.ts';

/** Payment methods at checkout. Requests may name `CARD_PROVIDER` by the configured `CARD_PROVIDER_NAME`. */
export const paymentMethods = ['CREDIT_CARD', 'CARD_PROVIDER', 'FREE'] as const;

export const orderLineTypes = ['PRODUCT_VARIANT'] as const;

export interface OrderLine {
  type: (typeof orderLineTypes)[number];
  productId: string;
  variantId: string;
  /** Snapshot at the time of the order; the product may have changed or been deleted since. */
  name: string;
  variantName?: string | undefined;
  sku?: string | undefined;
  quantity: number;
  unitPrice: number;
  /** Staff sent the price: a change of quantity does not look it up in the catalogue again. */
  priceSetByStaff?: boolean | undefined;
  totalPrice: number;
  discount: number;
  tax: number;
  /** Tax rate of the product category in basis points, when it differs from the rate of the order. */
  taxBps?: number | undefined;
  /** Units taken from tracked stock. Only these can be returned to stock. */
  taken?: number | undefined;
  /** Units that were refunded, and units that were returned to stock. */
  refunded?: number | undefined;
  restocked?: number | undefined;
  /** Part of `refunded`: units that had been returned without a refund before. */
  refundedReturned?: number | undefined;
}

export const fulfilmentStatuses = ['SHIPPED', 'DELIVERED'] as const;

/** A shipment: units that were shipped together. */
export interface OrderFulfilment {
  id: string;
  status: (typeof fulfilmentStatuses)[number];
  lines: QuantityAtLineIndex[];
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  trackingUrl?: string | undefined;
  createdAt: number;
  deliveredAt?: number | undefined;
}

export const returnStatuses = ['REQUESTED', 'ACCEPTED', 'REFUSED', 'WITHDRAWN'] as const;

export interface ReturnedQuantityAtLineIndex extends QuantityAtLineIndex {
  /** Accepted units, set on acceptance. Undefined on accepted records older than partial acceptance: all units. */
  accepted?: number | undefined;
  /** Set on acceptance: whether the units return to stock. */
  restock?: boolean | undefined;
}

/** A customer's request to return units. */
export interface OrderReturn {
  id: string;
  status: (typeof returnStatuses)[number];
  lines: ReturnedQuantityAtLineIndex[];
  /** The customer's reason for the return, and the business's reason for refusing it. */
  reason?: string | undefined;
  refusal?: string | undefined;
  /** Set on acceptance: refunds scheduled for this return. */
  refundIds?: string[] | undefined;
  /** Set on acceptance: part of the price of the units that was not paid yet and is no longer due, see payment/amount-due.ts. */
  credit?: number | undefined;
  createdAt: number;
  decidedAt?: number | undefined;
  /** When the provider confirmed the refund, unix seconds. */
  refundedAt?: number | undefined;
  /** When its refund restocked the units, unix seconds; stays set when the refund fails later. */
  restockedAt?: number | undefined;
}

export interface OrderStatusEntry extends StatusHistoryEntry<OrderStatus> {
  /** CANCELLED only: true if the cancellation refunds the captured amount. Undefined if the caller excluded the refund, and in older entries. */
  readonly refundsPayment?: true | undefined;
}

export interface Order {
  id: string;
  businessId: string;
  /** Order number: starts at 1001 per business, without gaps. 0 until the database assigns it on insert. */
  number: number;
  /** Id of an imported order in the system where it was placed. */
  externalReference?: string | undefined;
  customerId?: string | undefined;
  market: string;
  currency: string;
  lines: OrderLine[];
  blocks: Block[];
  shippingAddress?: PostalAddress | undefined;
  /** Undefined: same as `shippingAddress`. */
  billingAddress?: PostalAddress | undefined;
  /** Contact given at checkout, for customers without an account; see mail/find-order-recipient.ts. */
  contactEmail?: string | undefined;
  contactPhone?: string | undefined;
  /** Version of the valid order links, see guests/order-links.ts. Undefined: 0. */
  linkVersion?: number | undefined;
  /** Customer's locale, such as `de-AT`; determines the language of mails. */
  locale?: string | undefined;
  subtotal: number;
  tax: number;
  /** Standard rate of the order in basis points. Undefined for manual and imported orders, whose tax is an amount without a rate. */
  taxBps?: number | undefined;
  /** Whether staff replaced the tax that follows from the rates. Undefined: no rates, or the order is older than this field. */
  taxSetByStaff?: boolean | undefined;
  shipping: number;
  discount: number;
  total: number;
  promoCode?: string | undefined;
  shippingMethodId?: string | undefined;
  paymentMethod?: string | undefined;
  /** Oldest first. Undefined: none. */
  fulfilments?: OrderFulfilment[] | undefined;
  returns?: OrderReturn[] | undefined;
  statuses: readonly OrderStatusEntry[];
  paymentStatus: readonly StatusHistoryEntry<PaymentStatus>[];
  expiresAt?: number | undefined;
  /** Keyed hash of the client network of an unpaid checkout, see manage/unpaid-order-limit.ts. */
  heldFrom?: string | undefined;
  /** Amounts in minor units that the payment provider captured and refunded. */
  captured: number;
  refunded: number;
  /** Part of `refunded` that is a credit: the customer owes that much less. Undefined on older records, see payment/amount-due.ts. */
  credited?: number | undefined;
  disputedAt?: number | undefined;
  version: number;
  createdAt: number;
  updatedAt: number;
}

export const orderTable = defineTable<Order, OrderModel, { paymentStatuses: 'paymentStatus' }>(
  'orders',
  'o',
  {
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
    contactEmail: 'column',
    contactPhone: 'column',
    linkVersion: 'column',
    locale: 'column',
    subtotal: 'column',
    tax: 'column',
    taxBps: 'column',
    taxSetByStaff: 'column',
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
    credited: 'column',
    disputedAt: 'column',
    version: 'column',
    createdAt: 'fixed',
    updatedAt: 'column',
  },
);

/** Removes the ids of staff from the status histories, unless the reader is staff. `readerId`: keeps the reader's own entries. */
export const redactStatusActors = (order: Order, isStaff: boolean, readerId: string | null): Order =>
  isStaff
    ? order
    : {
        ...order,
        statuses: hideStatusActors(order.statuses, readerId),
        paymentStatus: hideStatusActors(order.paymentStatus, readerId),
      };
