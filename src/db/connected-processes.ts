/** Who else works on this database, and what was done to it: for who operates the gateway. */
import { packageVersion } from '../lib/package-info.ts';
import type { Db } from './handles.ts';
import { pendingMigrations } from './migrations/migrate.ts';

export interface ConnectedProcess {
  /** With its version, and on a server the machine and the process id. */
  name: string;
  connections: number;
}

export interface MigrationState {
  applied: number;
  last: string;
  pending: string[];
}

/** Every process names itself, with its version, to the server they share. */
export async function listConnectedProcesses(db: Db): Promise<ConnectedProcess[]> {
  if (db.embedded) return [{ name: `duet ${packageVersion}`, connections: 1 }];
  return db.sql(
    `select application_name as name, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name ~ '^duet [0-9]' group by 1 order by 1`,
  );
}

export async function loadMigrationState(db: Db): Promise<MigrationState> {
  const pending = await pendingMigrations(db);
  const [done] = await db.sql<{ applied: number; last: string | null }>(
    `select count(*)::int as applied, max(migration_name) as last from _prisma_migrations where finished_at is not null`,
  );
  return { applied: done?.applied ?? 0, last: done?.last ?? '', pending };
}
