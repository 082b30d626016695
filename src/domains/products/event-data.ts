/** What the events of products carry. */
import {
  businessIdField,
  countField,
  enumField,
  eventDataSchema,
  idField,
  textField,
  versionField,
} from '../../lib/validation/event-fields.ts';

const product = eventDataSchema('Product', 'A product, as it was after the change.', {
  id: idField('Id of the product.'),
  businessId: businessIdField,
  slug: textField('Its slug.', 'tea-pot'),
  name: textField('Its name.', 'Tea pot'),
  status: enumField('ProductStatus', 'Its current status.', 'ACTIVE'),
  version: versionField,
});

export const eventData = {
  'product.created': product,
  'product.updated': product,
  'product.deleted': product,
  'stock.low': eventDataSchema(
    'StockLow',
    'A variant that is running out; told once per crossing of the threshold.',
    {
      businessId: businessIdField,
      productId: idField('The product.'),
      variantId: idField('The variant.'),
      sku: textField('Its SKU.', 'CUP-2').optional(),
      quantity: countField('What is left.', 3),
      lowStockThreshold: countField('The threshold.', 5),
    },
  ),
};
