/** Everything on PGlite, what depends on real concurrency also on PostgreSQL, and pages in a browser. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Vite would load graphql's ESM copy for our sources and Node its CommonJS copy for the libraries.
const graphql = createRequire(import.meta.url).resolve('graphql');

/** Every folder of tests runs on both databases, but for these, which prove nothing on the other that they did not on the one. */
const pgliteOnly = [
  // Printed schemas, published examples, helpers: what is asked and answered, not how it is kept.
  'contract',
  'examples',
  'lib',
  // Commands and files for operators; what commands do on a server is in reliability.
  'cli',
  'ops',
  // The app as a function with faulty ports: there is one process.
  'simulation',
];
const postgresOnly = [
  // Samples of every row, the two lanes, limits and pages: no statement of theirs is special, and PostgreSQL is the faster one.
  'parity',
  'graphql',
  'http',
  // Real processes, killed and started anew.
  'reliability',
];

const without = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**`);

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    // Measured: threads take about a fifth less processor time than forks.
    pool: 'threads',
    // All cores: the tests wait for their databases more than they compute.
    maxWorkers: availableParallelism(),
    // Files of one worker share the libraries: loading those for each took longer than its tests. Our own modules are fresh.
    isolate: false,
    setupFiles: 'test/support/fresh-modules.ts',
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pglite',
          env: { TEST_DATABASE: 'pglite' },
          include: ['test/**/*.test.ts'],
          exclude: without([...postgresOnly, 'browser']),
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          env: { TEST_DATABASE: 'pglite' },
          include: ['test/browser/**/*.test.ts'],
          // One Chromium at a time is enough for two cores.
          fileParallelism: false,
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          // After the others, so that a worker does not start anew with every change of project.
          sequence: { groupOrder: 1 },
          env: { TEST_DATABASE: 'postgres' },
          include: ['test/**/*.test.ts'],
          exclude: without([...pgliteOnly, 'browser']),
        },
      },
    ],
  },
});
