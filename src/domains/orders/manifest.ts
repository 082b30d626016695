/** The words that orders add to the lists of the gateway. */
export const permissions = {
  ORDERS_READ: 'See orders and carts of all customers.',
  ORDERS_WRITE: 'Record and change orders, ship, refund, decide returns; also see them.',
};

export const webhookEvents = {
  'order.created': 'An order was placed at checkout or recorded by staff.',
  'order.updated': 'Lines, totals, customer or other fields of an order were changed.',
  'order.status_changed': 'An order came to another status, CANCELLED and REFUNDED too.',
  'order.fulfilled': 'Units of an order were shipped.',
  'order.fulfilment_updated': 'A shipment has arrived, or its tracking was changed.',
  'order.return_requested': 'A customer asks to give units of an order back.',
  'order.return_accepted': 'A return was accepted.',
  'order.return_refused': 'A return was refused.',
  'order.return_withdrawn': 'A customer keeps what they wanted to give back.',
  'payment.paid': 'An order was paid.',
  'payment.failed': 'A payment was declined, or never came.',
  'payment.refunded': 'Money of an order went back, in part or as a whole.',
  'payment.returned':
    'Money that fits nothing was sent back: a wrong amount, a second payment, a page that was closed.',
  'payment.disputed': 'A customer disputed a payment with their bank.',
  'refund.failed': 'The payment provider could not send money back; it can be tried again.',
};

export const liveTopics = ['order'];
