/** Tests on PGlite and tests on PostgreSQL. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/sequencer.ts';

// Vite would load graphql's ESM copy for our sources and Node its CommonJS copy for the libraries.
const root = dirname(fileURLToPath(import.meta.url));
const graphql = createRequire(import.meta.url).resolve('graphql');

// Embedded databases live for seconds: compiling them well takes longer than it saves.
setFlagsFromString('--liftoff-only');
// As src/cli/launch.ts does, and for the same reason: workers are threads of one process.
setFlagsFromString('--no-wasm-code-gc');
// Most code runs a few times in each worker: to optimize it as early as in a server took more processor time than it saved.
// Later versions of V8 do not know the flag.
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=500000');

/**
 * Every folder of tests runs on both databases, but for these: what they ask and answer is the same on either, and both would take half
 * as long again. `TEST_EVERYWHERE=on` runs these on both.
 */
const sameOnBoth =
  process.env.TEST_EVERYWHERE === 'on'
    ? []
    : [
        ...[
          'browser',
          'bulk',
          'businesses',
          'carts',
          'changes',
          'checkout',
          'collections',
          'entries',
          'examples',
          'graph',
          'groups',
        ],
        ...[
          'hostile',
          'live',
          'media',
          'newsletter',
          'orders',
          'parity',
          'payments',
          'pricing',
          'products',
          'rest',
          'upgrades',
          'usage',
          'users',
          'webhooks',
        ],
      ];
/**
 * The two lanes, limits, pages and what is printed: no statement of theirs is special. Real processes, killed and started anew. Helpers and
 * pure rules. One process with faulty ports or odd callers, which brings a database of its own: here, where the sources are loaded.
 */
const postgresOnly = [
  ...['contract', 'graphql', 'http', 'reliability'],
  ...['lib', 'rules', 'ops', 'simulation', 'fuzz'],
];
/** Commands for operators on an embedded database. */
const pgliteOnly = ['cli'];

const without = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**`);

/** What all projects share; what is made once for all of them belongs to none. */
const shared = {
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: graphql },
      // Only where the sources of `src/auth` ask for it: tests that name it get the true one.
      { find: /^\.\/hashing-cost\.ts$/, replacement: join(root, 'test', 'support', 'hashing-cost.ts') },
    ],
  },
};
const sharedTest = {
  // Measured: threads take about a fifth less processor time than forks.
  pool: 'threads',
  // Files of one worker share the libraries: loading those for each took longer than its tests. Our own modules are fresh.
  isolate: false,
  // What is polled for comes by itself, on a busy machine late: no test says anything else.
  expect: { poll: { timeout: 120_000, interval: 50 } },
  setupFiles: 'test/support/fresh-modules.ts',
  // Met by what hangs alone: a machine that is much too busy takes its time.
  testTimeout: 600_000,
  hookTimeout: 600_000,
} as const;

export default defineConfig({
  test: {
    // Two more than there are cores: tests wait, for processes that start and for jobs of those that were killed. Each more loads all sources.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    globalSetup: 'test/support/global-setup.ts',
    projects: [
      {
        ...shared,
        test: {
          ...sharedTest,
          name: 'pglite',
          env: { TEST_DATABASE: 'pglite' },
          include: ['test/**/*.test.ts'],
          exclude: without([...sameOnBoth, ...postgresOnly]),
        },
      },
      {
        ...shared,
        test: {
          ...sharedTest,
          name: 'postgres',
          env: { TEST_DATABASE: 'postgres' },
          include: ['test/**/*.test.ts'],
          exclude: without(pgliteOnly),
        },
      },
    ],
  },
});
