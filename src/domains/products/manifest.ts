/** The words that products add to the lists of the gateway. */
export const permissions = {
  PRODUCTS_WRITE: 'Products and stock: see drafts, write, delete.',
};

export const webhookEvents = {
  'product.created': 'A product was created.',
  'product.updated': 'A product was edited. Stock that moves with orders does not count.',
  'product.deleted': 'A product was deleted.',
  'stock.low': 'Sales took the stock of a variant down to its threshold.',
};

export const liveTopics = ['stock'];
