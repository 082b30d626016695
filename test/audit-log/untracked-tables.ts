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
};
