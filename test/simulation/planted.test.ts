/** All patches of planted bugs, which `npm run simulate -- --planted` looks for, apply to the current sources. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'test/simulation/planted';
const patches = readdirSync(folder);

it('has at least twenty patches', () => {
  expect(patches.length).toBeGreaterThanOrEqual(20);
});

it.each(patches)('applies %s', (name) => {
  const { status, stderr } = spawnSync('git', ['apply', '--check', `${folder}/${name}`], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
