/** Brings a database up to prisma/migrations, in a way that `prisma migrate deploy` agrees with. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { OperatorError } from '../../lib/operator-errors.ts';
import { packageRoot } from '../../lib/package-info.ts';
import type { Db } from '../handles.ts';

interface Migration {
  name: string;
  script: string;
  checksum: string;
}

export const migrationsDir = join(packageRoot, 'prisma', 'migrations');

/** Applies what is missing and returns the names; safe when several processes start at the same moment. */
export async function migrate(db: Db): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    if ((await pendingMigrations(db)).length === 0) return [];
    try {
      return await db.withMigrationAdapter(async (adapter) => {
        // Another process may have done the work while this one waited for its turn.
        return (await pendingMigrations(db)).length === 0 ? [] : applyMigrations(adapter);
      });
    } catch (error) {
      if (isLockTimeout(error) && attempt < 6) continue;
      if (!isBusy(error) || attempt === mostTries) throw error;
      await forgetAttempt(db);
      await sleep(Math.min(attempt, 5) * 1000);
    }
  }
}

/** A table that is in use is asked for again and again, rather than having everybody wait behind us. */
const mostTries = 20;

/** PostgreSQL gave up waiting for a lock: the engine shows its words only. */
function isBusy(error: unknown): boolean {
  return /lock timeout|\b55P03\b/.test(String(error));
}

/** What a migration did before it gave up was rolled back with it; the engine's record of it stays, and would stop the next try. */
async function forgetAttempt(db: Db): Promise<void> {
  await db.sql(
    `update _prisma_migrations set rolled_back_at = now()
     where finished_at is null and rolled_back_at is null and logs is not null`,
  );
}

/** Somebody else, such as `prisma migrate deploy`, holds the engine's own lock for longer than it waits. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P1002';
}

/** Runs Prisma Migrate on the database behind an adapter; `migrate` is what an application calls. */
export async function applyMigrations(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> {
  const { noSchemaFilters: noFilters, openSchemaEngine } = await import('./schema-engine.ts');
  const engine = await openSchemaEngine(adapter);
  try {
    const result = await engine.applyMigrations({ migrationsList: migrationList(), filters: noFilters });
    return result.appliedMigrationNames;
  } finally {
    engine.free();
  }
}

/** The names of the migrations this database does not have yet: one small query. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const applied = new Map((await appliedMigrations(db)).map((row) => [row.name, row.checksum]));
  const pending: string[] = [];
  for (const { name, checksum } of loadMigrations()) {
    const known = applied.get(name);
    if (known === undefined) pending.push(name);
    else if (known !== checksum) {
      throw new OperatorError(
        `Migration ${name} was edited after this database applied it. Put it back and add a new one.`,
      );
    }
  }
  return pending;
}

async function appliedMigrations(db: Db): Promise<{ name: string; checksum: string }[]> {
  const [table] = await db.sql<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  if (!table?.found) return [];
  return db.sql(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
}

/** The migrations on disk in the form the schema engine takes them. */
export function migrationList(): MigrationList {
  const lockfile = 'migration_lock.toml';
  return {
    baseDir: migrationsDir,
    lockfile: { path: lockfile, content: readFileSync(join(migrationsDir, lockfile), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: loadMigrations().map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } },
    })),
  };
}

let loaded: Migration[] | undefined;

/** The migrations on disk in the order of their names, read once. */
export function loadMigrations(): Migration[] {
  loaded ??= readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const script = readFileSync(join(migrationsDir, name, 'migration.sql'), 'utf8');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return loaded;
}
