/** Handlers of the record types that can be imported and exported. */

import type { BulkResource } from '../model.ts';
import { entryResourceHandler } from './entries.ts';
import { orderResourceHandler } from './orders.ts';
import { productResourceHandler } from './products.ts';
import type { ResourceHandler } from './resource-handler.ts';
import { subscriberResourceHandler } from './subscribers.ts';

export const resourceHandlers: Readonly<Record<BulkResource, ResourceHandler>> = {
  PRODUCTS: productResourceHandler,
  ENTRIES: entryResourceHandler,
  SUBSCRIBERS: subscriberResourceHandler,
  ORDERS: orderResourceHandler,
};
