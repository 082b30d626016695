/** An order as callers see it, and its row. */

import type { Block } from '../blocks/model.ts';
import type { StatusEntry } from '../shared/model.ts';
import type { OrderStatus, PaymentStatus } from './transitions.ts';

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
  /** Units whose money went back, and units that went back to stock. */
  refunded?: number | undefined;
  restocked?: number | undefined;
}

export interface Order {
  id: string;
  businessId: string;
  customerId?: string | undefined;
  market: string;
  currency: string;
  lines: OrderLine[];
  blocks: Block[];
  subtotal: number;
  tax: number;
  taxBps?: number | undefined;
  shipping: number;
  discount: number;
  total: number;
  promoCode?: string | undefined;
  shippingMethodId?: string | undefined;
  paymentMethod?: string | undefined;
  statuses: StatusEntry<OrderStatus>[];
  paymentStatus: StatusEntry<PaymentStatus>[];
  expiresAt?: number | undefined;
  amountDue: number;
  paymentSessionId?: string | undefined;
  paymentUrl?: string | undefined;
  paymentId?: string | undefined;
  captured: number;
  refunded: number;
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** Field by column; the same table reads and writes. */
const columns = {
  id: 'id',
  businessId: 'business_id',
  customerId: 'customer_id',
  market: 'market',
  currency: 'currency',
  lines: 'lines',
  blocks: 'blocks',
  subtotal: 'subtotal',
  tax: 'tax',
  taxBps: 'tax_bps',
  shipping: 'shipping',
  discount: 'discount',
  total: 'total',
  promoCode: 'promo_code',
  shippingMethodId: 'shipping_method_id',
  paymentMethod: 'payment_method',
  statuses: 'statuses',
  paymentStatus: 'payment_statuses',
  expiresAt: 'expires_at',
  amountDue: 'amount_due',
  paymentSessionId: 'payment_session_id',
  paymentUrl: 'payment_url',
  paymentId: 'payment_id',
  captured: 'captured',
  refunded: 'refunded',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof Order, string>;

const fields = Object.keys(columns) as (keyof Order)[];
const documents: ReadonlySet<string> = new Set(['lines', 'blocks', 'statuses', 'paymentStatus']);
const fixed: ReadonlySet<string> = new Set(['id', 'businessId', 'createdAt']);

export type OrderRow = Record<string, unknown>;

export const orderColumns = fields.map((field) => `o.${columns[field]}`).join(', ');

export function toOrder(row: OrderRow): Order {
  return Object.fromEntries(
    fields.map((field) => [field, row[columns[field]] ?? undefined]),
  ) as unknown as Order;
}

const paramsOf = (order: Order, names: readonly (keyof Order)[]) =>
  names.map((field) => (documents.has(field) ? JSON.stringify(order[field]) : (order[field] ?? null)));

const cast = (field: string, index: number) => `$${index + 1}${documents.has(field) ? '::jsonb' : ''}`;

export const insertStatement = `insert into orders (${fields.map((field) => columns[field]).join(', ')})
  values (${fields.map(cast).join(', ')}) returning id`;

export const insertParams = (order: Order) => paramsOf(order, fields);

const changing = fields.filter((field) => !fixed.has(field));

export const updateStatement = `update orders set ${changing
  .map((field, index) => `${columns[field]} = ${cast(field, index)}`)
  .join(', ')} where id = $${changing.length + 1} returning id`;

export const updateParams = (order: Order) => [...paramsOf(order, changing), order.id];
