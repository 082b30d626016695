/** Everything that can be imported or exported. */
import type { BulkResource } from './model.ts';
import { products } from './products.ts';
import type { Resource } from './resource.ts';

export const resources: Readonly<Record<BulkResource, Resource>> = { PRODUCTS: products };
