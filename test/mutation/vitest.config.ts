/** The quick tests of rules, alone: no database, no server, every module fresh. */
import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { mutatedFiles } from './rules.ts';

// As in the configuration of all tests: one copy of graphql.
const graphql = createRequire(import.meta.url).resolve('graphql');

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    include: [...new Set(Object.values(mutatedFiles).flat())],
    pool: 'threads',
    // A fault is found by the first cases or by none.
    env: { QUOTE_RUNS: '200' },
  },
});
