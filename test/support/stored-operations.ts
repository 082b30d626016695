/** Sources of the stored operations of all domains, sorted by path like the registered documents. */
import { existsSync, readFileSync } from 'node:fs';
import { domains } from '../../src/domains/index.ts';

export const storedOperationSources = (): string[] =>
  domains
    .map((domain) => `src/domains/${domain}/operations.graphql`)
    .filter((file) => existsSync(file))
    .sort()
    .map((file) => readFileSync(file, 'utf8'));

/** One item per stored operation: its keyword. */
export const storedOperationHeads = (): string[] =>
  storedOperationSources().flatMap((source) => source.match(/^(?:query|mutation) /gm) ?? []);
