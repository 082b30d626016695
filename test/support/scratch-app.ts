/** App and database for programs that run without vitest: in memory, or a clone of the PostgreSQL template in `SCRATCH_TEMPLATE`. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { cachedTemplate } from '../../scripts/database-template.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/handles.ts';
import { openDb } from '../../src/db/open-db.ts';
import { databaseChecks } from './statement-checks.ts';
import { TestApp } from './test-app.ts';

export interface ScratchApp {
  t: TestApp;
  close(): Promise<void>;
}

export interface ScratchDb {
  db: Db;
  /** Closes and drops the database. */
  remove(): Promise<void>;
}

export async function createScratchApp(): Promise<ScratchApp> {
  const { db, remove } = await createScratchDb();
  const { t, close } = await createAppOn(db);
  return {
    t,
    async close() {
      await close();
      await remove();
    },
  };
}

/** App on an open database. `close` leaves the database open. */
export async function createAppOn(db: Db): Promise<ScratchApp> {
  const config = readConfig({
    ALLOWED_ORIGINS: 'http://shop.test',
    PUBLIC_URL: 'http://duet.test',
    RATE_LIMIT: 'off',
  });
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const app = await createApp({ config, db, log });
  return { t: new TestApp(app, db, []), close: () => app.stop() };
}

export async function createScratchDb(template = process.env.SCRATCH_TEMPLATE): Promise<ScratchDb> {
  if (template === undefined) {
    const db = await openDb({ ...databaseChecks, dataDir: 'memory', template: await cachedTemplate() });
    return { db, remove: () => db.close() };
  }
  const url = new URL(template);
  const templateName = url.pathname.slice(1);
  const name = `scratch_${randomUUID().replaceAll('-', '')}`;
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  // Serialises clones: PostgreSQL copies a template only while it has no other connections.
  await admin.query('select pg_advisory_lock(1)');
  await admin.query(`create database ${name} template ${templateName}`);
  await admin.query('select pg_advisory_unlock(1)');
  url.pathname = `/${name}`;
  const db = await openDb({ ...databaseChecks, url: url.href });
  return {
    db,
    async remove() {
      await db.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
