/** `npm run dev`: puts the sources together whenever they change, and starts the gateway anew. One by one they would load for longer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/lib/package-root.ts';
import { bundle } from './bundle.ts';

const [sources, folder] = [join(packageRoot, 'src'), join(packageRoot, 'dist', 'dev')];
/** Editors write a file in several steps, and several files at once. */
const quietMs = 50;

let running: ChildProcess | undefined;

async function stop(): Promise<void> {
  if (!running || running.exitCode !== null || running.signalCode !== null) return;
  // As from a keyboard: nobody is to be told to connect elsewhere first.
  running.kill('SIGINT');
  await once(running, 'exit');
}

/** What cannot be put together is told, and the last that could goes on. */
async function restart(): Promise<void> {
  try {
    await bundle({ main: join(sources, 'main.ts') }, folder, { sourcemap: true });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return;
  }
  await stop();
  const args = ['--enable-source-maps', join(folder, 'main.js')];
  running = spawn(process.execPath, args, { stdio: 'inherit' });
}

let timer: NodeJS.Timeout | undefined;
let last = restart();
watch(sources, { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    last = last.then(restart);
  }, quietMs);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    clearTimeout(timer);
    void last.then(stop).then(() => process.exit(0));
  });
