/** A database of its own for each test file, copied from the migrated template. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { type OpenDbOptions, openDb } from '../../src/db/open.ts';
import { createTempFolder } from './temp-folder.ts';

// Registered here because a hook that is added while a test runs is never called.
const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

export const onPostgres = process.env.TEST_DATABASE === 'postgres';

/** Opens a migrated, empty database of the kind that tests run on and removes it after the calling file. */
export async function testDb(options: Omit<OpenDbOptions, 'url' | 'dataDir' | 'template'> = {}): Promise<Db> {
  if (onPostgres) {
    // By its socket: there are many small statements, and the way through the network takes longer.
    const url = (await testDatabaseUrl()).replace('127.0.0.1', encodeURIComponent(inject('postgresSocket')));
    const db = await openDb({ ...options, url });
    cleanups.push(() => db.close());
    return db;
  }
  const dataDir = await testDataDir();
  const db = await openDb({ ...options, dataDir, template: inject('pgliteTemplate') });
  cleanups.push(() => db.close());
  return db;
}

/** A path for an embedded data directory that does not exist yet, removed after the calling file. */
export async function testDataDir(): Promise<string> {
  const parent = await createTempFolder('duet-test-');
  cleanups.push(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'data');
}

/** The address of a PostgreSQL database for several processes, dropped after the calling file. */
export async function testDatabaseUrl({ migrated = true } = {}): Promise<string> {
  const template = new URL(inject('postgresTemplate'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(
    `CREATE DATABASE ${name} TEMPLATE ${migrated ? template.pathname.slice(1) : 'template0'} STRATEGY FILE_COPY`,
  );
  cleanups.push(() => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  template.pathname = `/${name}`;
  return template.href;
}

// PostgreSQL refuses to copy a template while anyone else reads it.
const objectInUse = '55006';

async function administer(statement: string): Promise<void> {
  const url = new URL(inject('postgresTemplate'));
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // One clone at a time; the lock ends with the connection.
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
