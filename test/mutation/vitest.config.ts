/** Vitest configuration of mutation tests: unit tests of rules only, without database and server. */
import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { mutatedFiles } from './rules.ts';

// One copy of graphql, as in the main configuration.
const graphql = createRequire(import.meta.url).resolve('graphql');

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    include: [...new Set(Object.values(mutatedFiles).flat())],
    pool: 'threads',
    // The first cases detect a mutant, or none does.
    env: { QUOTE_RUNS: '200' },
  },
});
