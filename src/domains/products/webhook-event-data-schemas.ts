/** Payload schemas of the webhook events of products. */
import {
  businessIdEventField,
  defineCountEventField,
  defineEnumEventField,
  defineEventDataSchema,
  defineIdEventField,
  defineTextEventField,
  versionEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';

const product = defineEventDataSchema(
  'Product',
  'The product after the change; for product.deleted, before it.',
  {
    id: defineIdEventField('Id of the product.'),
    businessId: businessIdEventField,
    slug: defineTextEventField('Slug, unique in the business.', 'tea-pot'),
    name: defineTextEventField('Name.', 'Tea pot'),
    status: defineEnumEventField('ProductStatus', 'Current status.', 'ACTIVE'),
    version: versionEventField,
  },
);

export const eventDataSchemas = {
  'product.created': product,
  'product.updated': product,
  'product.deleted': product,
  'stock.low': defineEventDataSchema(
    'StockLow',
    'A variant with low stock. Sent once each time its stock falls to the threshold or below.',
    {
      businessId: businessIdEventField,
      productId: defineIdEventField('Id of the product.'),
      variantId: defineIdEventField('Id of the variant.'),
      sku: defineTextEventField('SKU of the variant.', 'CUP-2').optional(),
      quantity: defineCountEventField('Units left in stock.', 3),
      lowStockThreshold: defineCountEventField('Threshold at or below which stock counts as low.', 5),
    },
  ),
};
