/** Every operation of REST needs a sample here: whoever adds a row adds one. */
import type { Samples } from '../world.ts';
import { businessSamples } from './businesses.ts';
import { contentSamples } from './content.ts';
import { orderSamples } from './orders.ts';
import { productSamples } from './products.ts';
import { userSamples } from './users.ts';
import { webhookSamples } from './webhooks.ts';

/** In the order in which their records need each other. */
export const domains: readonly Samples[] = [
  businessSamples,
  productSamples,
  userSamples,
  orderSamples,
  contentSamples,
  webhookSamples,
];

export const samples = Object.assign({}, ...domains.map((domain) => domain.samples)) as Samples['samples'];
