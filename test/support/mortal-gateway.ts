/** Gateways that are killed without warning and come back on the same address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../src/db/migrate.ts';
import { freePort } from './process.ts';

/** Whoever starts one kills it in the end. */
export interface MortalGateway {
  readonly url: string;
  /** As a power cut would. */
  kill(): Promise<void>;
  /** After `kill`, on the same address. */
  restart(): Promise<void>;
}

export async function startMortalGateway(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<MortalGateway> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(process.execPath, ['--import', 'tsx', join(packageRoot, 'src', 'main.ts')], {
      cwd: packageRoot,
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        HOST: '127.0.0.1',
        PORT: String(port),
        SEED_DEMO: 'off',
        LOG_LEVEL: 'silent',
        RATE_LIMIT: 'off',
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

  await start();
  return { url, kill, restart: start };
}
