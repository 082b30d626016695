/** Planted leaks in `planted/`: each breaks a rule of shared state, and the compiler or a test of the suite reports it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, inject, it } from 'vitest';
import { packageRoot } from '../../src/lib/package-info.ts';
import { CopiedTree } from '../support/copied-tree.ts';

const tree = new CopiedTree();
afterAll(() => tree.remove());

const git = (...args: string[]) => execFileSync('git', args, { cwd: tree.root, stdio: 'pipe' });
const plant = (name: string, ...flags: string[]) =>
  git('apply', ...flags, join(packageRoot, 'test/contract/planted', `${name}.patch`));

/** Runs tests of the tree on the databases and programs of this run: preparing others takes longer than these tests. */
function runTests(...args: string[]) {
  const names = ['pgliteTemplate', 'postgresTemplate', 'postgresSocket', 'programs'] as const;
  const provided = Object.fromEntries(names.map((name) => [name, inject(name)]));
  return tree.runWithEnv({ TEST_SERVERS: JSON.stringify(provided) }, 'vitest', 'run', ...args);
}

it('the compiler rejects a write to a cached record, a viewer in the shared nodes of a page, and a handle without audit context', async () => {
  const planted = ['cached-record-modified', 'viewer-in-shared-nodes', 'handle-without-audit-context'];
  for (const name of planted) plant(name);
  const { code, output } = await tree.run('tsc', '--noEmit', '--project', 'tsconfig.build.json');
  for (const name of planted) plant(name, '--reverse');
  expect(code).toBe(1);
  expect(output).toMatch(/find-product\.ts.*Cannot assign to 'name' because it is a read-only property/);
  expect(output).toMatch(/list-orders\.ts.*Cannot find name 'ctx'/);
  expect(output).toMatch(/operation\.ts.*Property 'auditContext' is missing/);
});

it('a checkout that locks the promo code before the products, and a write through the reading function of a handle fail in the tests', async () => {
  plant('promo-code-locked-before-products');
  plant('write-without-audit-context');
  // One run: it transforms all sources.
  const { code, output } = await runTests(
    'test/checkout/checkout.test.ts',
    'test/carts/carts.test.ts',
    '-t=is accepted for a total of 0|exists once per customer and business',
    '--reporter=dot',
    '--maxWorkers=1',
  );
  expect(code).toBe(1);
  const failures = stripVTControlCharacters(output).split(/^ FAIL {2}/m);
  const failuresOf = (file: string) => failures.filter((text) => text.startsWith(file));
  expect(failuresOf('test/checkout/checkout.test.ts')).toEqual([expect.stringMatching(/\b500\b/)]);
  expect(failuresOf('test/carts/carts.test.ts')).toEqual([expect.stringMatching(/'INTERNAL'|"INTERNAL"/)]);
});
