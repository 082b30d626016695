/** Every operation of REST needs a sample here: whoever adds a row adds one. */
import type { Samples } from '../world.ts';
import { businessSamples } from './businesses.ts';
import { productSamples } from './products.ts';
import { userSamples } from './users.ts';

export const domains: readonly Samples[] = [businessSamples, productSamples, userSamples];

export const samples = Object.assign({}, ...domains.map((domain) => domain.samples)) as Samples['samples'];
