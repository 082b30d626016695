/** State of the migrations of this database, for the status page of operators. */
import { readAppliedMigrations } from '../../vendor/prisma/migrations-table.ts';
import type { Db } from '../handles.ts';
import { listPendingMigrations } from './apply-and-list-migrations.ts';

export interface MigrationState {
  applied: number;
  last: string;
  pending: string[];
}

export async function loadMigrationState(db: Db): Promise<MigrationState> {
  const pending = await listPendingMigrations(db);
  const applied = [...(await readAppliedMigrations(db.sql)).keys()].sort();
  return { applied: applied.length, last: applied.at(-1) ?? '', pending };
}
