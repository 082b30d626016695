/** The log, in a process of its own: what it ends with is written, and a reader that is gone keeps nobody from ending. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const program = `
  import { createLog } from './src/log.ts';
  const log = createLog('info', false);
  process.stdin.once('data', () => {
    log.info('on its way');
    // Together with the timer that sends the first line on.
    setTimeout(() => {
      log.info('the last word');
      process.exit(7);
    }, 25);
  });
  log.info('ready');`;

function start() {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // However it goes wrong, it does not outlive the test.
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return { child, ready: once(child.stdout, 'data'), ended: once(child, 'close') };
}

it('writes what was said last', async () => {
  const { child, ready, ended } = start();
  await ready;
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    rest += chunk.toString();
  });
  child.stdin.write('end');
  expect(await ended).toEqual([7, null]);
  expect(rest).toContain('the last word');
});

it('ends although nobody reads it any more', async () => {
  const { child, ready, ended } = start();
  await ready;
  child.stdout.destroy();
  child.stdin.write('end');
  expect(await ended).toEqual([7, null]);
});
