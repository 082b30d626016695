/** Gateways as processes of their own, for tests that need several, or need to kill one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { packageRoot } from '../../src/db/migrate.ts';

export interface Gateway {
  readonly url: string;
  readonly pid: number;
  /** Everything it has written so far. */
  output(): string;
  /** Ends it and waits; returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Starts a gateway from the sources and waits until it listens. */
export async function startGateway(env: Record<string, string>): Promise<Gateway> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', 'tsx', join(packageRoot, 'src', 'main.ts')], {
    cwd: packageRoot,
    env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'info', RATE_LIMIT: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  afterAll(() => {
    child.kill('SIGKILL');
  });
  await listening(child, () => output);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => output,
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
        child.once('exit', (code) => resolve(code));
        child.kill(signal);
      }),
  };
}

function listening(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (output().includes('one schema, two voices')) resolve();
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}:\n${output()}`)));
  });
}
