/** Stored operations of every domain, as their files hold them. */
import { existsSync, readFileSync } from 'node:fs';
import { domains } from '../../src/domains/index.ts';

export const storedOperationSources = (): string[] =>
  domains
    .map((domain) => `src/domains/${domain}/operations.graphql`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
