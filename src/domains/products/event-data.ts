/** What the events of products carry. */
import { businessId, count, data, id, oneOf, text, version } from '../../lib/event-shapes.ts';

const product = data('Product', 'A product, as it was after the change.', {
  id: id('Id of the product.'),
  businessId,
  slug: text('Its slug.', 'tea-pot'),
  name: text('Its name.', 'Tea pot'),
  status: oneOf('ProductStatus', 'Its current status.', 'ACTIVE'),
  version,
});

export const eventData = {
  'product.created': product,
  'product.updated': product,
  'product.deleted': product,
  'stock.low': data('StockLow', 'A variant that is running out; told once per crossing of the threshold.', {
    businessId,
    productId: id('The product.'),
    variantId: id('The variant.'),
    sku: text('Its SKU.', 'CUP-2').optional(),
    quantity: count('What is left.', 3),
    lowStockThreshold: count('The threshold.', 5),
  }),
};
