import { afterEach, expect, test, vi } from 'vitest';
import { failOnEarlyExit } from '../../src/cli/exit-guard.ts';

const listeners = () => process.listeners('beforeExit');
const before = listeners();
const { exitCode } = process;

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = exitCode;
});

test('work that nothing will end fails', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  let end = () => {};
  const work = failOnEarlyExit(
    new Promise<void>((resolve) => {
      end = resolve;
    }),
  );
  const [tell] = listeners().filter((listener) => !before.includes(listener));
  tell?.call(process, 0);
  expect([process.exitCode, errors.mock.calls]).toEqual([13, [[expect.stringContaining('not done')]]]);
  end();
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
])('work that is %s is no longer waited for', async (_how, work) => {
  await failOnEarlyExit(work()).catch(() => {});
  expect(listeners()).toEqual(before);
});
