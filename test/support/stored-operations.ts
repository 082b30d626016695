/** Stored operations of every domain, as their files hold them. */
import { existsSync, readFileSync } from 'node:fs';
import { domains } from '../../src/domains/index.ts';

export const storedOperationSources = (): string[] =>
  ['fragments.graphql', ...domains.map((domain) => `${domain}/operations.graphql`)]
    .map((name) => `src/domains/${name}`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
