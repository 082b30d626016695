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
import { replayable } from './replay.ts';

export const schema = replayable(builder.toSchema({ sortSchema: true }));
