/** Everything that can be imported or exported. */
import { entries } from './entries.ts';
import type { BulkResource } from './model.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';
import type { Resource } from './resource.ts';
import { subscribers } from './subscribers.ts';

export const resources: Readonly<Record<BulkResource, Resource>> = {
  PRODUCTS: products,
  ENTRIES: entries,
  SUBSCRIBERS: subscribers,
  ORDERS: orders,
};
