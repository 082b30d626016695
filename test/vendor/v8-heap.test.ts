/** Limits of the V8 heap, measured in a process of its own. */
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';
import { createTempFolder } from '../support/temp-folder.ts';

// Seen on Node 20.
let folder: string;
let module: string;

beforeAll(async () => {
  folder = await createTempFolder('duet-heap-');
  await bundle({ heap: 'src/vendor/v8/heap-growth-limits.ts' }, folder);
  module = join(folder, 'heap.js');
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs a script that prints a number of megabytes. */
function measure(script: string): number {
  const source = `
    import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
    import { setImmediate as nextTick } from 'node:timers/promises';
    import { heapGrowthLimiter } from ${JSON.stringify(module)};
    const megabytes = (bytes) => Math.round(bytes / 1024 / 1024);
    /** Arrays of 8 KB each. */
    const create = (count) => Array.from({ length: count }, () => new Array(1000).fill(0));
    ${script}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return Number(stdout);
}

/** Creates 40 MB of live objects, then garbage that is old enough for a major GC; prints the maximum size of the heap. */
const maxHeapSize = (adapt: string) => `
  setFlagsFromString('--heap-growing-percent=300');
  ${adapt}
  const live = create(5000);
  const recent = [];
  let most = 0;
  for (let round = 0; round < 80; round += 1) {
    recent[round % 5] = create(500);
    most = Math.max(most, getHeapStatistics().used_heap_size);
    await nextTick();
  }
  console.log(megabytes(most), live.length > 0 ? '' : recent);`;

test('garbage between major GCs is limited in bytes', () => {
  const unlimited = measure(maxHeapSize(''));
  const limited = measure(maxHeapSize('heapGrowthLimiter.adapt(8 * 1024 * 1024);'));
  expect(unlimited - limited).toBeGreaterThan(40);
});

test('the new space does not grow while a program starts, and grows afterwards', () => {
  const newSpaceAfter = (adapt: string) =>
    measure(`
      for (const flag of heapGrowthLimiter.startFlags) setFlagsFromString(flag);
      ${adapt}
      const live = [];
      for (let round = 0; round < 40; round += 1) live.push(create(100));
      const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      console.log(megabytes(space.space_size), live.length > 0 ? '' : live);`);
  expect(newSpaceAfter('')).toBeLessThanOrEqual(2);
  expect(newSpaceAfter('heapGrowthLimiter.adapt();')).toBeGreaterThan(8);
});
