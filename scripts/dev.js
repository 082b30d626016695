/** `npm run dev`. Plain JavaScript, so that an up-to-date build starts before anything that compiles TypeScript is loaded. */
import { fork } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'src');
const builtProgram = join(root, 'dist', 'server', 'main.js');

function isBuildCurrent() {
  if (!existsSync(builtProgram)) return false;
  const { mtimeMs } = statSync(builtProgram);
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  return names.every((name) => statSync(join(sources, name)).mtimeMs <= mtimeMs);
}

/** Starts a process that imports the files sent to it. The V8 flags are those of the build's code cache. */
const start = () =>
  fork(join(import.meta.dirname, 'dev-gateway.js'), {
    execArgv: ['--max-semi-space-size=64'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

const builtGateway = isBuildCurrent() ? start() : undefined;
builtGateway?.send([builtProgram]);
const { register } = await import('tsx/esm/api');
register();
const { supervise } = await import('./dev-supervisor.ts');
supervise(sources, start, builtGateway);
