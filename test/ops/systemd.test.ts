/** The systemd unit: systemd accepts it, and it starts the gateway as the image does. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dockerfileText, readDockerfile } from '../support/container-image.ts';

const unit = 'ops/systemd/duet.service';
const text = readFileSync(unit, 'utf8');

it('starts the same command as the image, with time for the shutdown', () => {
  const { entrypoint, command } = readDockerfile(dockerfileText());
  const [node, ...args] = entrypoint;
  const start = [
    `/usr/bin/${node}`,
    ...args.map((part) => part.replace(/^dist/, '/opt/duet/dist')),
    ...command,
  ];
  expect(/^ExecStart=(.*)$/m.exec(text)?.[1]).toBe(start.join(' '));
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
it.runIf(hasSystemd)('is accepted by systemd, with an exposure below 2 of 10', () => {
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  expect(
    analyze('verify', unit)
      .stderr.split('\n')
      .filter((line) => line.includes('duet.service')),
  ).toEqual([]);
  const { stdout } = analyze('security', '--offline=yes', '--no-pager', unit);
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
});
