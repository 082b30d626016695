/** The schema: every domain adds its part when it is imported. */
import '../domains/businesses/index.ts';
import '../domains/checkout/index.ts';
import '../domains/orders/index.ts';
import '../domains/collections/index.ts';
import '../domains/entries/index.ts';
import '../domains/newsletter/index.ts';
import '../domains/products/index.ts';
import '../domains/users/index.ts';
import '../domains/webhooks/index.ts';
import { builder } from './builder.ts';

export const schema = builder.toSchema({ sortSchema: true });
