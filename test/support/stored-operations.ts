/** Sources of the stored operations of all domains, sorted by path like the registered documents. */
import { existsSync, readFileSync } from 'node:fs';
import { domainNames } from '../../src/domains/domain-names.ts';

export const storedOperationSources = (): string[] =>
  domainNames
    .map((domain) => `src/domains/${domain}/operations.graphql`)
    .filter((file) => existsSync(file))
    .sort()
    .map((file) => readFileSync(file, 'utf8'));

/** One item per stored operation: its keyword. */
export const storedOperationHeads = (): string[] =>
  storedOperationSources().flatMap((source) => source.match(/^(?:query|mutation) /gm) ?? []);
