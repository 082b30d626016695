/** Tables of a business that the audit log does not cover. */

const productTables = 'listings prices attributes stock old_slugs'.split(' ');
/** Tables of a business without an audit log, with the reason. */
export const untracked: Record<string, string> = {
  changes: 'is the audit log',
  stock_movements: 'is an append-only ledger',
  security_events: 'is the audit trail of accounts',
  cache_purges: 'is a queue of purges of the edge cache',
  webhook_events: 'is a log itself, retained for 30 days',
  webhook_deliveries: 'is a log itself, retained for 30 days',
  ...Object.fromEntries(productTables.map((table) => [`product_${table}`, 'is derived from the products'])),
  carts: 'belongs to the customer and is deleted after 30 days',
  order_numbers: 'is a counter: the numbers are in the orders',
  request_log: 'is a log itself, retained for 7 days',
  request_log_settings: 'has counts, and a recording that ends by itself after a day',
  usage: 'is statistics, retained for 90 days',
  media_uses: 'is derived from products, entries and collections, for the deletion of unused files',
  entry_values: 'is derived from the entries, for lists',
  entry_sort_keys: 'is derived from the entries, for lists',
  entry_old_slugs: 'is derived from the entries, for redirects',
  bulk_operations: 'is a log itself, retained for 7 days; its changes are in the audit log of the records',
  bulk_errors: 'belongs to a bulk operation',
  entry_versions: 'is a log itself',
  entry_drafts: 'is unpublished; its publication is in the audit log of the entry',
  media_unused: 'is derived from media_uses',
  promo_claims: 'belongs to an order',
  ...Object.fromEntries(
    ['payment_attempts', 'payment_events', 'refunds', 'renewal_endings'].map((table) => [
      table,
      'is a log of payments; their effect is in the audit log of the order or subscription',
    ]),
  ),
  newsletter_recipients: 'is a log of sent mails',
  idempotency_keys: 'has responses, retained for a day',
  put_aside: 'is written by operators',
  ...Object.fromEntries(
    ['sandbox_payments', 'sandbox_subscriptions'].map((table) => [table, 'belongs to the sandbox provider']),
  ),
  ...Object.fromEntries(
    ['business_placements', 'business_moves', 'business_write_fences'].map((table) => [
      table,
      'is written by operators, and outlives the business',
    ]),
  ),
};
