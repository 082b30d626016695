/** The file watcher of `npm run dev`. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchFolders } from '../../scripts/dev-watch.ts';

it('notices every change: writes, renames and recreated folders', async () => {
  const root = mkdtempSync(join(tmpdir(), 'duet-watch-'));
  const path = (...names: string[]) => join(root, ...names);
  mkdirSync(path('a', 'b'), { recursive: true });
  let events = 0;
  const unwatch = watchFolders(root, () => {
    events += 1;
  });
  const replace = () => {
    writeFileSync(path('a', 'draft'), 'x');
    renameSync(path('a', 'draft'), path('a', 'b', 'file'));
  };
  const change = () => writeFileSync(path('a', 'b', 'file'), `${Math.random()}`);
  const recreate = () => {
    rmSync(path('a', 'b'), { recursive: true });
    mkdirSync(path('a', 'b'));
  };
  for (const step of [change, change, replace, replace, change, recreate, change, change]) {
    // Lets duplicate events of the step before pass.
    await sleep(100);
    events = 0;
    step();
    await expect.poll(() => events, { message: step.name }).toBeGreaterThan(0);
  }
  unwatch();
  rmSync(root, { recursive: true });
});
