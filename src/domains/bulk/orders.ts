/** Orders as lines: those that come in were placed elsewhere, and are there once. */
import { parse } from '../../lib/input.ts';
import { orderFilterCheck } from '../orders/find-checks.ts';
import { importOrderCheck } from '../orders/import-checks.ts';
import { importOrder } from '../orders/import-order.ts';
import { listOrders } from '../orders/list-orders.ts';
import type { Order } from '../orders/model.ts';
import { type Fields, pageOfLines, type Resource } from './resource.ts';

export const orders: Resource = {
  columns: {
    id: 'text',
    externalReference: 'text',
    number: 'onlyTold',
    placedAt: 'number',
    status: 'text',
    paymentStatus: 'text',
    customerId: 'text',
    email: 'text',
    market: 'text',
    currency: 'text',
    subtotal: 'number',
    discount: 'number',
    tax: 'number',
    shipping: 'number',
    total: 'number',
    captured: 'onlyTold',
    refunded: 'onlyTold',
    promoCode: 'text',
    shippingMethodId: 'text',
    lines: 'json',
    shippingAddress: 'json',
    billingAddress: 'json',
    blocks: 'json',
    locale: 'text',
    createdAt: 'onlyTold',
    updatedAt: 'onlyTold',
  },
  // Customers who check out meanwhile would wait for the numbers of all that share a transaction.
  isAlone: true,
  page: (ctx, { businessId }, args) =>
    pageOfLines(listOrders(ctx, orderFilterCheck.parse({ businessId, ...args })), lineOf),
  apply: ({ ctx, fields }, { businessId }) =>
    importOrder(ctx, parse(importOrderCheck, { businessId, input: fields })),
};

/** What the books of the gateway need of a line is not told. */
const lineOf = ({ statuses, paymentStatus, lines, ...order }: Order): Fields => ({
  ...order,
  placedAt: order.createdAt,
  status: statuses.at(-1)?.status,
  paymentStatus: paymentStatus.at(-1)?.status,
  lines: lines.map(({ taken: _taken, refunded: _refunded, restocked: _restocked, ...line }) => line),
});
