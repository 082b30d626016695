/** Payload schemas of the webhook events of products. */
import {
  businessIdField,
  countField,
  enumField,
  eventDataSchema,
  idField,
  textField,
  versionField,
} from '../../lib/validation/event-fields.ts';

const product = eventDataSchema('Product', 'The product after the change; for product.deleted, before it.', {
  id: idField('Id of the product.'),
  businessId: businessIdField,
  slug: textField('Slug, unique in the business.', 'tea-pot'),
  name: textField('Name.', 'Tea pot'),
  status: enumField('ProductStatus', 'Current status.', 'ACTIVE'),
  version: versionField,
});

export const eventData = {
  'product.created': product,
  'product.updated': product,
  'product.deleted': product,
  'stock.low': eventDataSchema(
    'StockLow',
    'A variant with low stock. Sent once each time its stock falls to the threshold or below.',
    {
      businessId: businessIdField,
      productId: idField('Id of the product.'),
      variantId: idField('Id of the variant.'),
      sku: textField('SKU of the variant.', 'CUP-2').optional(),
      quantity: countField('Units left in stock.', 3),
      lowStockThreshold: countField('Threshold at or below which stock counts as low.', 5),
    },
  ),
};
