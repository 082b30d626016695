/** Gateways as processes of their own, on one PostgreSQL database, to be called over sockets and killed without warning. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { packageRoot } from '../../src/db/migrate.ts';

export interface Gateway {
  readonly url: string;
  /** As a power cut would. */
  kill(): Promise<void>;
  /** After `kill`, on the same address. */
  restart(): Promise<void>;
}

export async function startGateway(databaseUrl: string, env: Record<string, string> = {}): Promise<Gateway> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(process.execPath, ['--import', 'tsx', join(packageRoot, 'src', 'main.ts')], {
      cwd: packageRoot,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        HOST: '127.0.0.1',
        PORT: String(port),
        SEED_DEMO: 'off',
        LOG_LEVEL: 'error',
        ALLOWED_ORIGINS: 'http://shop.test',
        ...env,
      },
    });
    for (let waited = 0; waited < 60_000; waited += 100) {
      const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
      if (ready?.ok) return;
      if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}.`);
      await sleep(100);
    }
    throw new Error('The gateway did not start.');
  }

  async function kill(): Promise<void> {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  afterAll(kill);
  await start();
  return { url, kill, restart: start };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
