/** Databases of tests, cloned from the migrated template. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { openDb } from '../../src/db/open-db.ts';
import type { OpenDbOptions } from '../../src/db/open-options.ts';
import { databaseChecks } from './statement-checks.ts';
import { createTempFolder } from './temp-folder.ts';

// Registered at module level: vitest ignores hooks that are added while a test runs.
const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** On an overloaded machine the event loop may be blocked for seconds. */
const connectionTimeoutMs = 60_000;

export const onPostgres = process.env.TEST_DATABASE === 'postgres';

/** Opens an empty, migrated database (PostgreSQL, or PGlite per `TEST_DATABASE`) and removes it after the calling file. */
export async function testDb(options: Omit<OpenDbOptions, 'url' | 'dataDir' | 'template'> = {}): Promise<Db> {
  if (onPostgres) {
    // Through the Unix socket, which is faster than TCP for many small statements.
    const url = (await testDatabaseUrl()).replace('127.0.0.1', encodeURIComponent(inject('postgresSocket')));
    const db = await openDb({ ...databaseChecks, connectionTimeoutMs, ...options, url });
    cleanups.push(() => db.close());
    return db;
  }
  const dataDir = await testDataDir();
  const db = await openDb({ ...databaseChecks, ...options, dataDir, template: inject('pgliteTemplate') });
  cleanups.push(() => db.close());
  return db;
}

/** Path of an embedded data directory that does not exist yet; removed after the calling file. */
export async function testDataDir(): Promise<string> {
  const parent = await createTempFolder('duet-test-');
  cleanups.push(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'data');
}

/** URL of a PostgreSQL database that several processes can open; dropped after the calling file. */
export async function testDatabaseUrl({ migrated = true } = {}): Promise<string> {
  const template = new URL(inject('postgresTemplate'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(
    `CREATE DATABASE ${name} TEMPLATE ${migrated ? template.pathname.slice(1) : 'template0'} STRATEGY FILE_COPY`,
  );
  cleanups.push(() => runAsAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  template.pathname = `/${name}`;
  return template.href;
}

/** URL of an open PostgreSQL database. */
export async function databaseUrlOf(db: Db): Promise<string> {
  const url = new URL(inject('postgresTemplate'));
  const [row] = await db.sql<{ name: string }>('select current_database() as name', []);
  url.pathname = `/${row?.name}`;
  return url.href;
}

// SQLSTATE: PostgreSQL does not copy a template that has other connections.
const objectInUse = '55006';

async function runAsAdmin(statement: string): Promise<void> {
  const url = new URL(inject('postgresTemplate'));
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Serialises clones; the lock is released with the connection.
    await client.query('SELECT pg_advisory_lock(1)');
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.code !== objectInUse || attempt === 50) throw error;
        await sleep(100);
      }
    }
  } finally {
    await client.end();
  }
}
