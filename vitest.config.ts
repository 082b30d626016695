/** How tests run: on PostgreSQL, those of test/on-pglite on the embedded database. */
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
// As src/cli/code-cache-loader.ts does, and for the same reason: workers are threads of one process.
setFlagsFromString('--no-wasm-code-gc');
// Most code runs a few times in each worker: to optimize it as early as in a server took more processor time than it saved.
// Later versions of V8 do not know the flag.
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=500000');

export default defineConfig({
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: graphql },
      // Only where the sources of `src/auth` ask for it: tests that name it get the true one.
      { find: /^\.\/hashing-cost\.ts$/, replacement: join(root, 'test', 'support', 'hashing-cost.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // `TEST_DATABASE=pglite npm test` runs everything on the embedded database; test/on-pglite is what always does.
    env: { TEST_DATABASE: process.env.TEST_DATABASE ?? 'postgres' },
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/fresh-modules.ts',
    sequence: { sequencer: LongestFirst },
    // Two more than there are cores: tests wait, for processes that start and for jobs of those that were killed. Each more loads all sources.
    maxWorkers: availableParallelism() + 2,
    // Measured: threads take about a fifth less processor time than forks.
    pool: 'threads',
    // Files of one worker share the libraries: loading those for each took longer than its tests. Our own modules are fresh.
    isolate: false,
    // What is polled for comes by itself, on a busy machine late: no test says anything else.
    expect: { poll: { timeout: 120_000, interval: 50 } },
    // Met by what hangs alone: a machine that is much too busy takes its time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
