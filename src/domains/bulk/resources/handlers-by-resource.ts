/** Handlers of the record types that can be imported and exported. */
import type { BulkResource } from '../model.ts';
import { categoryBulkHandler } from './categories.ts';
import { entryBulkHandler } from './entries.ts';
import { orderBulkHandler } from './orders.ts';
import { productBulkHandler } from './products.ts';
import type { BulkResourceHandler } from './resource-handler.ts';
import { subscriberBulkHandler } from './subscribers.ts';

export const bulkHandlerByResource: Readonly<Record<BulkResource, BulkResourceHandler>> = {
  PRODUCTS: productBulkHandler,
  ENTRIES: entryBulkHandler,
  SUBSCRIBERS: subscriberBulkHandler,
  ORDERS: orderBulkHandler,
  CATEGORIES: categoryBulkHandler,
};
