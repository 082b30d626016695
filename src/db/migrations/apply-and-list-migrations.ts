/** Applies prisma/migrations to a database, compatible with `prisma migrate deploy`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { OperatorError } from '../../lib/operator-errors.ts';
import { packageRoot } from '../../lib/package-info.ts';
import {
  markInterruptedMigrationsRolledBack,
  readAppliedMigrations,
} from '../../vendor/prisma/migrations-table.ts';
import type { SchemaEngineMigrations } from '../../vendor/prisma/schema-engine.ts';
import type { Db } from '../handles.ts';

interface Migration {
  name: string;
  script: string;
}

export const migrationsDir = join(packageRoot, 'prisma', 'migrations');

/** Applies pending migrations and returns their names. Safe when several processes start at the same time. */
export async function migrate(db: Db): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    if ((await listPendingMigrations(db)).length === 0) return [];
    try {
      return await db.withMigrationAdapter(async (adapter) => {
        // Another process may have applied them while this one waited for the lock.
        if ((await listPendingMigrations(db)).length === 0) return [];
        await markInterruptedMigrationsRolledBack(db);
        return applyMigrations(adapter);
      });
    } catch (error) {
      if (isEngineLocked(error) && attempt < 6) continue;
      if (!isTableLocked(error) || attempt === maxAttempts) throw error;
      await sleep(Math.min(attempt, 5) * 1000);
    }
  }
}

/** Names of the applied migrations, in alphabetical order. */
export const listAppliedMigrations = async (
  runSql: Parameters<typeof readAppliedMigrations>[0],
): Promise<string[]> => [...(await readAppliedMigrations(runSql)).keys()].sort();

/** A locked table is retried after a short lock timeout, because a waiting migration would block all later queries of the table. */
const maxAttempts = 20;

/** Lock timeout of PostgreSQL (55P03). The engine reports only its message. */
function isTableLocked(error: unknown): boolean {
  return /lock timeout|\b55P03\b/.test(String(error));
}

/** Another process, such as `prisma migrate deploy`, held the engine's own lock for longer than the engine waits. */
function isEngineLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P1002';
}

/** Option of the schema engine: no table or enum is managed by others. */
export const noExternalSchemaObjects = { externalTables: [], externalEnums: [] };

/** Runs Prisma Migrate on the database behind an adapter. Applications call `migrate` instead. */
export async function applyMigrations(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> {
  const { openSchemaEngine } = await import('../../vendor/prisma/schema-engine.ts');
  const engine = await openSchemaEngine(adapter);
  try {
    const result = await engine.applyMigrations({
      migrationsList: loadMigrationsForSchemaEngine(),
      filters: noExternalSchemaObjects,
    });
    return result.appliedMigrationNames;
  } finally {
    engine.free();
  }
}

/** Names of the migrations that this database lacks. Costs two small queries. */
export async function listPendingMigrations(db: Db): Promise<string[]> {
  const applied = await readAppliedMigrations(db.sql);
  const pending: string[] = [];
  for (const { name, script } of loadMigrations()) {
    const migration = applied.get(name);
    if (!migration) pending.push(name);
    else if (migration.isEdited(script)) {
      throw new OperatorError(
        `Migration ${name} was edited after this database applied it. Restore the file and add a new migration instead.`,
      );
    }
  }
  return pending;
}

/** Names of the applied migrations that this program does not have: a newer version has migrated the database. */
export async function listNewerMigrations(db: Db): Promise<string[]> {
  const ownNames = new Set(loadMigrations().map(({ name }) => name));
  return [...(await readAppliedMigrations(db.sql)).keys()].filter((name) => !ownNames.has(name));
}

/** Migrations on disk in the format of the schema engine. */
export function loadMigrationsForSchemaEngine(): SchemaEngineMigrations {
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

let migrationsOnDisk: Migration[] | undefined;

/** Migrations on disk, sorted by name; read once per process. */
export function loadMigrations(): Migration[] {
  migrationsOnDisk ??= readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, script: readFileSync(join(migrationsDir, name, 'migration.sql'), 'utf8') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return migrationsOnDisk;
}
