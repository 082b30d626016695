/** Samples of all domains. Every operation of a REST route needs a sample in the file of its domain. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { domainNames } from '../../../src/domains/domain-names.ts';
import type { Samples } from '../fixtures.ts';

/** In the order of the dependencies between their records. */
export const domains: readonly Samples[] = await Promise.all(
  domainNames
    .filter((name) => existsSync(join(import.meta.dirname, `${name}.ts`)))
    .map(async (name) => (await import(`../samples/${name}.ts`)).domain as Samples),
);

export const samples = Object.assign({}, ...domains.map((domain) => domain.samples)) as Samples['samples'];
