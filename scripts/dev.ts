/** `npm run dev`: puts the sources together whenever they change, and starts the gateway anew. One by one they would load for longer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, watch } from 'node:fs';
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
    const gateway = join(packageRoot, 'scripts', 'dev-gateway.ts');
    await bundle({ main: gateway }, folder, { sourcemap: true });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return;
  }
  const next = spawn(process.execPath, ['--enable-source-maps', join(folder, 'main.js')], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  await stop();
  next.stdin.end();
  running = next;
}

/** What was built of the sources as they are starts at once. */
async function start(): Promise<void> {
  const built = join(packageRoot, 'dist', 'server', 'main.js');
  const changed = readdirSync(sources, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(sources, name)).mtimeMs,
  );
  if (!existsSync(built) || statSync(built).mtimeMs < Math.max(...changed)) return restart();
  running = spawn(process.execPath, ['--max-semi-space-size=64', built], { stdio: 'inherit' });
}

let timer: NodeJS.Timeout | undefined;
let last = start();
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
