/** Gateways as processes of their own, for tests that need several, or need to kill one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { nodeFlags } from './node-flags.ts';

export interface Gateway {
  readonly url: string;
  readonly pid: number;
  /** Everything it has written since it was last started. */
  output(): string;
  /** Resident memory in MB. */
  memory(): Promise<number>;
  /** Ends it and waits; returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** After `stop` or `kill`, on the same address. */
  restart(): Promise<void>;
}

/** Asks a gateway as clients should: whoever is told to come back later, as on a busy machine, does so. */
export async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    if (response.status !== 503) return response;
    await response.body?.cancel();
    await sleep(200 + Math.random() * 600);
  }
}

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Starts a gateway as it was built for this run, and waits until it listens. It does not outlive the tests. */
export function startGateway(env: Record<string, string>): Promise<Gateway> {
  const program = (name: string) => join(inject('programs'), name);
  return startNodeProcess(['--import', program('exit-with-parent.js'), program('main.js')], env, packageRoot);
}

/** The same of a copied tree. */
export async function startGatewayFromTree(root: string, env: Record<string, string>): Promise<Gateway> {
  const folder = join(root, 'programs');
  const exitWithParent = join(root, 'test', 'support', 'exit-with-parent.ts');
  await bundle({ main: join(root, 'src', 'main.ts'), 'exit-with-parent': exitWithParent }, folder);
  return startNodeProcess(
    ['--import', join(folder, 'exit-with-parent.js'), join(folder, 'main.js')],
    env,
    root,
  );
}

/** Starts a gateway by the arguments of node. */
export async function startNodeProcess(
  args: readonly string[],
  env: Record<string, string>,
  root: string,
): Promise<Gateway> {
  const port = await freePort();
  let running = await start(args, port, env, root);
  const end = (signal: NodeJS.Signals) => ended(running.child, signal);
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return running.child.pid ?? 0;
    },
    output: () => running.output.join(''),
    async memory() {
      const status = await readFile(`/proc/${running.child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL');
    },
    async restart() {
      running = await start(args, port, env, root);
    },
  };
}

async function start(args: readonly string[], port: number, env: Record<string, string>, root: string) {
  const child = spawn(process.execPath, [...nodeFlags, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      // A busy machine may take its time.
      OPERATION_TIMEOUT: '60s',
      ...env,
    },
    stdio: 'pipe',
  });
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output.push(chunk.toString());
      if (chunk.includes('one schema, two voices')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}:\n${output.join('')}`)));
  });
  return { child, output };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}
