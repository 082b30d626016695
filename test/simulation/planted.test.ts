/** The faults that `npm run simulate -- --planted` looks for can be planted in the sources as they are. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'test/simulation/planted';
const patches = readdirSync(folder);

it('are at least twenty', () => {
  expect(patches.length).toBeGreaterThanOrEqual(20);
});

it.each(patches)('%s', (name) => {
  const { status, stderr } = spawnSync('git', ['apply', '--check', `${folder}/${name}`], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
