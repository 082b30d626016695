import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchFolders } from '../../scripts/dev-watch.ts';

it('hears of every change, in whatever way it is made', async () => {
  const root = mkdtempSync(join(tmpdir(), 'duet-watch-'));
  const path = (...names: string[]) => join(root, ...names);
  mkdirSync(path('a', 'b'), { recursive: true });
  let heard = 0;
  const unwatch = watchFolders(root, () => {
    heard += 1;
  });
  const replace = () => {
    writeFileSync(path('a', 'draft'), 'x');
    renameSync(path('a', 'draft'), path('a', 'b', 'file'));
  };
  const change = () => writeFileSync(path('a', 'b', 'file'), `${Math.random()}`);
  const makeAnew = () => {
    rmSync(path('a', 'b'), { recursive: true });
    mkdirSync(path('a', 'b'));
  };
  for (const step of [change, change, replace, replace, change, makeAnew, change, change]) {
    // What the step before is heard of twice for has passed by then.
    await sleep(100);
    heard = 0;
    step();
    await expect.poll(() => heard, { message: step.name }).toBeGreaterThan(0);
  }
  unwatch();
  rmSync(root, { recursive: true });
});
