/** Sample orders for the rule tests, and a helper that returns validation errors as strings. */
import type { Order, OrderFulfilment, OrderLine, OrderReturn } from '../../src/domains/orders/model.ts';
import type { OrderStatus, PaymentStatus } from '../../src/domains/orders/status-transitions.ts';
import type { StatusHistoryEntry } from '../../src/domains/shared/media-and-status-history-types.ts';
import { AppError } from '../../src/errors.ts';

export const history = <Status extends string>(...statuses: Status[]): StatusHistoryEntry<Status>[] =>
  statuses.map((status, index) => ({ id: `${index}`, status, changedBy: 'SYSTEM', timestamp: index }));

export const statusesOf = (entries: readonly { status: string }[]) => entries.map(({ status }) => status);

/** A line of `quantity` units at 100 each. */
export const line = (variantId: string, quantity: number, more: Partial<OrderLine> = {}): OrderLine => ({
  type: 'PRODUCT_VARIANT',
  productId: 'product',
  variantId,
  name: 'Tea',
  quantity,
  unitPrice: 100,
  totalPrice: 100 * quantity,
  discount: 0,
  tax: 0,
  ...more,
});

export interface OrderParts extends Partial<Omit<Order, 'statuses' | 'paymentStatus'>> {
  statuses?: OrderStatus[];
  payment?: PaymentStatus[];
}

export const order = ({
  statuses = ['PENDING'],
  payment = ['PENDING'],
  ...more
}: OrderParts = {}): Order => ({
  id: 'order',
  businessId: 'business',
  number: 1001,
  market: 'US',
  currency: 'USD',
  lines: [line('a', 3), line('b', 2)],
  blocks: [],
  subtotal: 500,
  tax: 0,
  shipping: 0,
  discount: 0,
  total: 500,
  statuses: history(...statuses),
  paymentStatus: history(...payment),
  captured: 0,
  refunded: 0,
  version: 1,
  createdAt: 1,
  updatedAt: 1,
  ...more,
});

/** Result of `work`, or its validation errors as `field ERROR message`. */
export function outcome<T>(work: () => T): T | string[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details.map((detail) => `${detail.field} ${detail.error} ${detail.message}`);
  }
}

export const units = (...pairs: [line: number, quantity: number][]) =>
  pairs.map(([index, quantity]) => ({ line: index, quantity }));

export const shipment = (
  lines: OrderFulfilment['lines'],
  more: Partial<OrderFulfilment> = {},
): OrderFulfilment => ({
  id: 'shipment',
  status: 'SHIPPED',
  lines,
  createdAt: 1,
  ...more,
});

export const orderReturn = (lines: OrderReturn['lines'], more: Partial<OrderReturn> = {}): OrderReturn => ({
  id: 'return',
  status: 'REQUESTED',
  lines,
  createdAt: 1,
  ...more,
});

export const lineNotFoundError =
  'LINE_NOT_FOUND Must be the index of a line of the order, each at most once.';
