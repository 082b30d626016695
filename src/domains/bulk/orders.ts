/** Orders as lines, which only go out: an order is money and stock, and comes into being by a checkout or by hand. */
import { orderFilterCheck } from '../orders/find-checks.ts';
import { listOrders } from '../orders/list-orders.ts';
import type { Order } from '../orders/model.ts';
import { type Fields, pageOfLines, type Resource } from './resource.ts';

export const orders: Resource = {
  columns: {
    id: 'text',
    number: 'number',
    status: 'text',
    paymentStatus: 'text',
    customerId: 'text',
    market: 'text',
    currency: 'text',
    subtotal: 'number',
    discount: 'number',
    tax: 'number',
    shipping: 'number',
    total: 'number',
    captured: 'number',
    refunded: 'number',
    promoCode: 'text',
    shippingMethodId: 'text',
    lines: 'json',
    shippingAddress: 'json',
    billingAddress: 'json',
    blocks: 'json',
    createdAt: 'onlyTold',
    updatedAt: 'onlyTold',
  },
  page: (ctx, { businessId }, args) =>
    pageOfLines(listOrders(ctx, orderFilterCheck.parse({ businessId, ...args })), lineOf),
};

/** What the books of the gateway need of a line is not told. */
const lineOf = ({ statuses, paymentStatus, lines, ...order }: Order): Fields => ({
  ...order,
  status: statuses.at(-1)?.status,
  paymentStatus: paymentStatus.at(-1)?.status,
  lines: lines.map(({ taken: _taken, refunded: _refunded, restocked: _restocked, ...line }) => line),
});
