/** Database that worlds use one after the other. Creating a database and planning every statement again costs more than a walk. */
import { createScratchDb, type ScratchDb } from '../support/scratch-app.ts';
import { createComparisonTable } from './reconcile-all.ts';
import { installWriteLog } from './write-log.ts';

export interface SharedDatabase extends ScratchDb {
  /** Deletes everything that a world wrote. */
  clear(): Promise<void>;
}

/** Tables that the migrations fill and no walk changes. */
const migratedTables = ['_prisma_migrations', 'lineage', 'pgboss.queue', 'pgboss.version'];

/** Deletes rows instead of truncating, because TRUNCATE invalidates all query plans. Triggers do not fire. */
const clearScript = `do $$ declare name text; begin
  perform set_config('session_replication_role', 'replica', true);
  for name in select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'pgboss')
      and c.oid <> all ('{${migratedTables.join()}}'::regclass[])
  loop execute 'delete from ' || name; end loop;
  perform setval(s.seqrelid::regclass, s.seqstart, false) from pg_sequence s;
end $$`;

/** Uses the given database exclusively, or creates one. */
export async function openSharedDatabase(existing?: ScratchDb): Promise<SharedDatabase> {
  const { db, remove } = existing ?? (await createScratchDb());
  await installWriteLog(db);
  await createComparisonTable(db);
  return {
    db,
    remove,
    async clear() {
      await db.script(clearScript);
      db.recordCache.clear();
    },
  };
}
