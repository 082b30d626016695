/** Vitest configuration: tests run on PostgreSQL, those in test/on-pglite on the embedded database. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/sequencer.ts';

// One copy of graphql for all: Vite would load the ESM build for the sources, and Node the CommonJS build for the libraries.
const root = dirname(fileURLToPath(import.meta.url));
const graphql = createRequire(import.meta.url).resolve('graphql');

// Embedded databases live for seconds: optimising their WebAssembly takes longer than it saves.
setFlagsFromString('--liftoff-only');
// Prevents the V8 crash that src/vendor/v8/code-cache-loader.ts describes: workers are threads of one process.
setFlagsFromString('--no-wasm-code-gc');
// Optimises later: most code runs a few times per worker, and optimising it as early as in a server took more CPU time than it saved.
// Newer versions of V8 lack the flag.
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=500000');

export default defineConfig({
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: graphql },
      // Replaces the import within `src/auth` only. A test that imports the file by its full path gets the real one.
      {
        find: /^\.\/argon2-cost-and-dummy-hash\.ts$/,
        replacement: join(root, 'test', 'support', 'argon2-cost-and-dummy-hash.ts'),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // `TEST_DATABASE=pglite npm test` runs all tests on the embedded database; those in test/on-pglite always use it.
    env: { TEST_DATABASE: process.env.TEST_DATABASE ?? 'postgres' },
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/fresh-modules.ts',
    sequence: { sequencer: LongestFirst },
    // Two more than cores: tests often wait for child processes to start and for jobs of killed ones. Every worker loads all sources again.
    maxWorkers: availableParallelism() + 2,
    // Measured: threads take 20 % less CPU time than forks.
    pool: 'threads',
    // Test files of a worker share the loaded libraries and sources: loading them took longer than the tests. Modules of test, bench and
    // scripts are loaded again for each file (test/support/fresh-modules.ts).
    isolate: false,
    // Polled conditions are always expected to become true, on a busy machine late. No test overrides the timeout.
    expect: { poll: { timeout: 120_000, interval: 50 } },
    // Long enough for an overloaded machine; only a test that hangs reaches it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
