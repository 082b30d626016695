/** Payload schemas of the webhook events of products. */
import {
  businessIdEventField,
  countEventField,
  defineEventDataSchema,
  enumEventField,
  idEventField,
  textEventField,
  versionEventField,
} from '../../lib/validation/event-fields.ts';

const product = defineEventDataSchema(
  'Product',
  'The product after the change; for product.deleted, before it.',
  {
    id: idEventField('Id of the product.'),
    businessId: businessIdEventField,
    slug: textEventField('Slug, unique in the business.', 'tea-pot'),
    name: textEventField('Name.', 'Tea pot'),
    status: enumEventField('ProductStatus', 'Current status.', 'ACTIVE'),
    version: versionEventField,
  },
);

export const eventData = {
  'product.created': product,
  'product.updated': product,
  'product.deleted': product,
  'stock.low': defineEventDataSchema(
    'StockLow',
    'A variant with low stock. Sent once each time its stock falls to the threshold or below.',
    {
      businessId: businessIdEventField,
      productId: idEventField('Id of the product.'),
      variantId: idEventField('Id of the variant.'),
      sku: textEventField('SKU of the variant.', 'CUP-2').optional(),
      quantity: countEventField('Units left in stock.', 3),
      lowStockThreshold: countEventField('Threshold at or below which stock counts as low.', 5),
    },
  ),
};
