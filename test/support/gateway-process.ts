/** Gateways as child processes, for tests with several of them or that kill one. */
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
  /** Output of stdout and stderr since the last start. */
  output(): string;
  /** Resident memory in MB. */
  memory(): Promise<number>;
  /** Sends SIGTERM, waits for the exit and returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after `stop` or `kill`. */
  restart(): Promise<void>;
}

/** Like `fetch`, but retries a 503 response after 200 to 800 ms, as clients should. */
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

/** Starts the gateway that the global setup bundled, and waits until it listens. It exits with the test process. */
export function startGateway(env: Record<string, string>): Promise<Gateway> {
  const program = (name: string) => join(inject('programs'), name);
  return startNodeProcess(['--import', program('exit-with-parent.js'), program('main.js')], env, packageRoot);
}

/** Bundles and starts the gateway of a copied source tree. */
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

/** Starts a gateway with the given arguments of node. */
export async function startNodeProcess(
  args: readonly string[],
  env: Record<string, string>,
  root: string,
): Promise<Gateway> {
  const port = await freePort();
  let gateway = await start(args, port, env, root);
  const stopWith = (signal: NodeJS.Signals) => stopProcess(gateway.child, signal);
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return gateway.child.pid ?? 0;
    },
    output: () => gateway.output.join(''),
    async memory() {
      const status = await readFile(`/proc/${gateway.child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    stop: () => stopWith('SIGTERM'),
    async kill() {
      await stopWith('SIGKILL');
    },
    async restart() {
      gateway = await start(args, port, env, root);
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
      // Operations are slow on a busy machine.
      OPERATION_TIMEOUT: '60s',
      FAST_PATH: process.env.FAST_PATH,
      ...env,
    },
    stdio: 'pipe',
  });
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output.push(chunk.toString());
      // The banner, or in production the log line.
      if (chunk.includes('one schema, two voices') || chunk.includes('"msg":"listening"')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`The gateway exited with code ${code}:\n${output.join('')}`)),
    );
  });
  return { child, output };
}

function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}
