/** Import and export of orders. An import creates orders that were placed in another system, each once. */
import { parseInput } from '../../../lib/validation/input.ts';
import { importOrder } from '../../orders/import/import-order.ts';
import { importOrderSchema } from '../../orders/import/schemas.ts';
import type { Order } from '../../orders/model.ts';
import { listOrdersSchema } from '../../orders/read/filter-schemas.ts';
import { listOrders } from '../../orders/read/list-orders.ts';
import { type BulkRecordFields, type BulkResourceHandler, toBulkRecordPage } from './resource-handler.ts';

export const orderBulkHandler: BulkResourceHandler = {
  columns: {
    id: 'text',
    externalReference: 'text',
    number: 'exportOnly',
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
    captured: 'exportOnly',
    refunded: 'exportOnly',
    promoCode: 'text',
    shippingMethodId: 'text',
    lines: 'json',
    shippingAddress: 'json',
    billingAddress: 'json',
    blocks: 'json',
    locale: 'text',
    contactEmail: 'text',
    contactPhone: 'text',
    createdAt: 'exportOnly',
    updatedAt: 'exportOnly',
  },
  // An order locks the number sequence of the business until its transaction ends: a batch would block concurrent checkouts for long.
  oneLinePerTransaction: true,
  page: (ctx, { businessId }, args) =>
    toBulkRecordPage(listOrders(ctx, listOrdersSchema.parse({ businessId, ...args })), toFields),
  apply: ({ ctx, fields }, { businessId }) =>
    importOrder(ctx, parseInput(importOrderSchema, { businessId, input: fields })),
};

/** Without the internal stock and refund counters of order lines. */
const toFields = ({ statuses, paymentStatus, lines, ...order }: Order): BulkRecordFields => ({
  ...order,
  placedAt: order.createdAt,
  status: statuses.at(-1)?.status,
  paymentStatus: paymentStatus.at(-1)?.status,
  lines: lines.map(({ taken: _taken, refunded: _refunded, restocked: _restocked, ...line }) => line),
});
