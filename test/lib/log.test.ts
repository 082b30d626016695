/** Logger of a separate process: the last line is written on exit, and a closed reader does not block the exit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const program = `
  import { createLogger } from './src/log.ts';
  const log = createLogger('info');
  process.stdin.once('data', () => {
    log.info('buffered line');
    // At the same time as the timer that flushes the first line.
    setTimeout(() => {
      log.info('last line');
      process.exit(7);
    }, 25);
  });
  log.info('ready');`;

function start() {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // The process must not outlive a failed test.
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return { child, ready: once(child.stdout, 'data'), ended: once(child, 'close') };
}

it('writes the last line before the process exits', async () => {
  const { child, ready, ended } = start();
  await ready;
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stdin.write('end');
  expect(await ended).toEqual([7, null]);
  expect(output).toContain('last line');
});

it('exits although stdout is closed', async () => {
  const { child, ready, ended } = start();
  await ready;
  child.stdout.destroy();
  child.stdin.write('end');
  expect(await ended).toEqual([7, null]);
});
