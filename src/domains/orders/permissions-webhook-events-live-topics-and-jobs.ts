/** Permissions, webhook events, live topics and jobs of orders. Read by scripts/gather.ts. */
import { sendOrderLinkJob } from './guests/send-order-link.ts';
import { lowStockMailJob } from './manage/report-low-stock.ts';
import { expireOrdersJob } from './payment/expire-orders.ts';

export const permissions = {
  ORDERS_READ: 'Read orders and carts of all customers.',
  ORDERS_WRITE: 'Create and change orders, ship, refund, accept and refuse returns; includes ORDERS_READ.',
};

export const webhookEvents = {
  'order.created': 'An order was placed at checkout or recorded by staff.',
  'order.updated': 'Lines, totals, customer or other fields of an order were changed.',
  'order.status_changed': 'The status of an order changed, including to CANCELLED and REFUNDED.',
  'order.fulfilled': 'Units of an order were shipped.',
  'order.fulfilment_updated': 'A shipment was delivered, or its tracking data was changed.',
  'order.return_requested': 'A customer requested to return units of an order.',
  'order.return_accepted': 'A return was accepted.',
  'order.return_refused': 'A return was refused.',
  'order.return_withdrawn': 'A customer withdrew a return request.',
  'payment.paid': 'An order was paid.',
  'payment.failed': 'A payment was declined or not made in time.',
  'payment.refunded': 'A payment of an order was refunded, partially or in full.',
  'payment.returned':
    'An unexpected payment was refunded in full: wrong amount, second payment, or payment on a closed page.',
  'payment.disputed': 'A customer disputed a payment with their bank.',
  'refund.failed': 'The payment provider rejected a refund; `retryRefund` tries it again.',
};

export const liveTopics = ['order'];

export const jobs = [expireOrdersJob, lowStockMailJob, sendOrderLinkJob];
