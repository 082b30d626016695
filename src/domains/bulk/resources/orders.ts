/** Orders as lines: those that come in were placed elsewhere, and are there once. */
import { parseInput } from '../../../lib/validation/input.ts';
import { importOrder } from '../../orders/import/import-order.ts';
import { importOrderSchema } from '../../orders/import/schemas.ts';
import type { Order } from '../../orders/model.ts';
import { listOrdersSchema } from '../../orders/read/filter-schemas.ts';
import { listOrders } from '../../orders/read/list-orders.ts';
import { type RecordFields, type ResourceHandler, toRecordFieldsPage } from './resource-handler.ts';

export const orderResourceHandler: ResourceHandler = {
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
  oneLinePerTransaction: true,
  page: (ctx, { businessId }, args) =>
    toRecordFieldsPage(listOrders(ctx, listOrdersSchema.parse({ businessId, ...args })), lineOf),
  apply: ({ ctx, fields }, { businessId }) =>
    importOrder(ctx, parseInput(importOrderSchema, { businessId, input: fields })),
};

/** What the books of the gateway need of a line is not told. */
const lineOf = ({ statuses, paymentStatus, lines, ...order }: Order): RecordFields => ({
  ...order,
  placedAt: order.createdAt,
  status: statuses.at(-1)?.status,
  paymentStatus: paymentStatus.at(-1)?.status,
  lines: lines.map(({ taken: _taken, refunded: _refunded, restocked: _restocked, ...line }) => line),
});
