/** A database that one world after the other stands on: what a new one costs, to make and to plan every statement anew, is more than a walk. */
import { type ScratchDb, createScratchDb } from '../support/scratch-app.ts';
import { createComparisonTable } from './reconcile-all.ts';
import { installWriteLog } from './write-log.ts';

export interface SharedDatabase extends ScratchDb {
  /** As it was before the first world: nothing of it is left to the next. */
  clear(): Promise<void>;
}

/** What the migrations wrote, and no walk changes. */
const written = ['_prisma_migrations', 'lineage', 'pgboss.queue', 'pgboss.version'];

/** Rows are deleted, not tables truncated, which would have every statement planned anew. Triggers do not hear of it. */
const clearing = `do $$ declare name text; begin
  perform set_config('session_replication_role', 'replica', true);
  for name in select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'pgboss')
      and c.oid <> all ('{${written.join()}}'::regclass[])
  loop execute 'delete from ' || name; end loop;
  perform setval(s.seqrelid::regclass, s.seqstart, false) from pg_sequence s;
end $$`;

/** Of a database that nobody else has. */
export async function openSharedDatabase(made?: ScratchDb): Promise<SharedDatabase> {
  const { db, remove } = made ?? (await createScratchDb());
  await installWriteLog(db);
  await createComparisonTable(db);
  return {
    db,
    remove,
    async clear() {
      await db.script(clearing);
      db.recordCache.clear();
    },
  };
}
