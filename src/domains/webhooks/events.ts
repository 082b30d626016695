/** What businesses can be told about: a closed list, in which nothing names a person but by id. */

export const eventTypes = {
  'order.created': 'An order was placed at checkout or recorded by staff.',
  'order.updated': 'Lines, totals, customer or other fields of an order were changed.',
  'order.status_changed': 'An order came to another status, CANCELLED and REFUNDED too.',
  'payment.paid': 'An order was paid.',
  'payment.failed': 'A payment was declined, or never came.',
  'payment.refunded': 'Money of an order went back, in part or as a whole.',
  'payment.returned':
    'Money that fits nothing was sent back: a wrong amount, a second payment, a page that was closed.',
  'payment.disputed': 'A customer disputed a payment with their bank.',
  'refund.failed': 'The payment provider could not send money back; it can be tried again.',
  'product.created': 'A product was created.',
  'product.updated': 'A product was edited. Stock that moves with orders does not count.',
  'product.deleted': 'A product was deleted.',
  'stock.low': 'Sales took the stock of a variant down to its threshold.',
  'entry.created': 'An entry was created.',
  'entry.updated': 'An entry was changed.',
  'entry.deleted': 'An entry was deleted by itself; with its collection it goes silently.',
  'subscription.created': 'Somebody subscribed to a newsletter; PENDING until a paid plan is paid.',
  'subscription.activated': 'A subscription became active by a payment or by subscribing again.',
  'subscription.cancelled': 'A subscription ended, by the subscriber or by its payment.',
  'newsletter.sent': 'The last mail of a newsletter was handed over.',
} as const;

export type EventType = keyof typeof eventTypes;

export interface WebhookEvent {
  type: EventType;
  /** Ids and facts; what is undefined is left out. */
  data: Readonly<Record<string, unknown>>;
}

/** Sent by hand to try an endpoint; nobody subscribes to it. */
export const testType = 'webhook.test';

const groups = [...new Set(Object.keys(eventTypes).map((type) => `${type.split('.')[0]}.*`))];

/** What an endpoint may subscribe to: types, groups, everything. */
export const patterns: ReadonlySet<string> = new Set(['*', ...groups, ...Object.keys(eventTypes)]);

export const patternList = `Types (${Object.keys(eventTypes).join(', ')}), groups (${groups.join(', ')}), or * for all.`;
