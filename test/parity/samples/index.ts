/** Every operation of REST needs a sample in the file of its domain: whoever adds a row adds one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { domains as names } from '../../../src/domains/index.ts';
import type { Samples } from '../fixtures.ts';

/** In the order in which their records need each other. */
export const domains: readonly Samples[] = await Promise.all(
  names
    .filter((name) => existsSync(join(import.meta.dirname, `${name}.ts`)))
    .map(async (name) => (await import(`../samples/${name}.ts`)).domain as Samples),
);

export const samples = Object.assign({}, ...domains.map((domain) => domain.samples)) as Samples['samples'];
