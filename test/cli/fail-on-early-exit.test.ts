/** The exit guard fails the process when the event loop runs empty before the command has finished. */
import { afterEach, expect, test, vi } from 'vitest';
import { failOnEarlyExit } from '../../src/cli/run-command.ts';

const listeners = () => process.listeners('beforeExit');
const before = listeners();
const { exitCode } = process;

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = exitCode;
});

test('sets exit code 13 when the event loop runs empty before the work is done', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  let resolveWork = () => {};
  const work = failOnEarlyExit(
    new Promise<void>((resolve) => {
      resolveWork = resolve;
    }),
  );
  const [beforeExit] = listeners().filter((listener) => !before.includes(listener));
  beforeExit?.call(process, 0);
  expect([process.exitCode, errors.mock.calls]).toEqual([13, [[expect.stringContaining('not done')]]]);
  resolveWork();
  await work;
});

test.each([
  ['done', async () => {}],
  [
    'failed',
    async () => {
      throw new Error('not today');
    },
  ],
])('removes its listener after work that is %s', async (_how, work) => {
  await failOnEarlyExit(work()).catch(() => {});
  expect(listeners()).toEqual(before);
});
