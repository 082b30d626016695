/** `npm run dev`. In JavaScript: what was built of the sources as they are starts before anything that reads TypeScript is loaded. */
import { fork } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'src');
const built = join(root, 'dist', 'server', 'main.js');

function isCurrent() {
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  return names.every((name) => statSync(join(sources, name)).mtimeMs <= mtimeMs);
}

/** A process that imports the files it is sent, with the flags that the code of a build is kept for. */
const start = () =>
  fork(join(import.meta.dirname, 'dev-gateway.js'), {
    execArgv: ['--max-semi-space-size=64'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

const first = isCurrent() ? start() : undefined;
first?.send([built]);
const { register } = await import('tsx/esm/api');
register();
const { follow } = await import('./dev-supervisor.ts');
follow(sources, start, first);
