/** A migration that is interrupted at any moment is rolled back or recorded, and the next start continues. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { expect, inject, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import {
  applyMigrations,
  listPendingMigrations,
  loadMigrations,
  migrate,
} from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { markInterruptedMigrationsRolledBack } from '../../src/vendor/prisma/migrations-table.ts';
import { runDuet } from '../support/cli.ts';
import { isInSampleOfDay } from '../support/daily-seed.ts';
import { onPostgres, testDatabaseUrl, testDataDir } from '../support/database.ts';
import { nodeFlags } from '../support/node-flags.ts';

/**
 * `all` interrupts after every statement of every migration. By default one statement of the five newest migrations, by their names, and of
 * the older ones whose turn it is on this day.
 */
const everyStatement = process.env.MIGRATION_INTERRUPTIONS === 'all';

const emptyDb = async (): Promise<Db> =>
  onPostgres
    ? openDb({ url: await testDatabaseUrl({ migrated: false }) })
    : openDb({ dataDir: await testDataDir() });

/** Statements of a script: split at semicolons outside of quotes, dollar quotes and comments. */
function statementsOf(script: string): string[] {
  const parts =
    script.match(/\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|;|[^$'"\-;]+|[\s\S]/g) ?? [];
  const statements = [''];
  for (const part of parts)
    if (part === ';') statements.push('');
    else statements[statements.length - 1] += part;
  return statements.filter((statement) => statement.replace(/--[^\n]*/g, '').trim() !== '');
}

class Interruption extends Error {}

type RunScript = (script: string) => Promise<void>;

/** An adapter that passes every script to `intercept`, together with the function that runs it. */
const intercepted = (
  adapter: SqlMigrationAwareDriverAdapterFactory,
  intercept: (script: string, run: RunScript) => Promise<void>,
): SqlMigrationAwareDriverAdapterFactory =>
  new Proxy(adapter, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return async () => {
        const connection = await target.connect();
        const run = connection.executeScript.bind(connection);
        connection.executeScript = (script) => intercept(script, run);
        return connection;
      };
    },
  });

/** Statements that end the transaction without an answer: PostgreSQL ends the connection, PGlite has a single one. */
const breakOff = onPostgres ? 'select pg_terminate_backend(pg_backend_pid())' : 'select 1 / 0';

async function interruptAt(
  db: Db,
  name: string,
  intercept: (script: string, run: RunScript) => Promise<void>,
) {
  const { script: interrupted } =
    loadMigrations().find((migration) => migration.name === name) ?? expect.unreachable(name);
  await db
    .withMigrationAdapter(async (adapter) => {
      await markInterruptedMigrationsRolledBack(db);
      await applyMigrations(
        intercepted(adapter, (script, run) =>
          script === interrupted ? intercept(script, run) : run(script),
        ),
      );
    })
    .catch(() => {});
}

it('continues after an interruption within or after each migration', async () => {
  const db = await emptyDb();
  try {
    const migrations = loadMigrations();
    for (const [index, { name, script }] of migrations.entries()) {
      const age = migrations.length - 1 - index;
      if (!everyStatement && age >= 5 && !isInSampleOfDay(index, onPostgres ? 3 : 6)) continue;
      const statements = statementsOf(script);
      const sample = createHash('sha256').update(name).digest().readUInt16BE() % (statements.length + 1);
      const isResumable = /^-- resumable:/m.test(script);
      for (let count = 0; count <= statements.length && !isResumable; count += 1) {
        if (!everyStatement && count !== sample) continue;
        await interruptAt(db, name, (_script, run) =>
          run(`${[...statements.slice(0, count), breakOff].join(';\n')};`),
        );
        expect(await listPendingMigrations(db), `${name}, statement ${count}`).toContain(name);
      }
      // The script is committed, and the process ends before the engine completes its row.
      await interruptAt(db, name, async (complete, run) => {
        await run(complete);
        throw new Interruption();
      });
      expect((await listPendingMigrations(db)).includes(name), name).toBe(isResumable);
    }
    await migrate(db);
    expect(await listPendingMigrations(db)).toEqual([]);
    const recorded = await db.sql<{ name: string }>(
      'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
    );
    expect(recorded.map(({ name }) => name).sort()).toEqual(loadMigrations().map(({ name }) => name));
  } finally {
    await db.close();
  }
});

it('continues after kill -9 and SIGTERM at any time', async () => {
  const env = onPostgres
    ? { DATABASE_URL: await testDatabaseUrl({ migrated: false }) }
    : { DATA_DIR: await testDataDir() };
  for (const [signal, ms] of [
    ['SIGKILL', 600],
    ['SIGTERM', 900],
    ['SIGKILL', 1200],
    ['SIGKILL', 1800],
  ] as const) {
    const child = spawn(process.execPath, [...nodeFlags, join(inject('programs'), 'duet.js'), 'migrate'], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...env },
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    await Promise.race([sleep(ms), closed]);
    child.kill(signal);
    await closed;
  }
  expect(await runDuet(['migrate'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(await runDuet(['migrate'], { env })).toMatchObject({ stdout: 'The database is up to date.\n' });
});
