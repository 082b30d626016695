/** Locks that belong to no row: for changes that must happen one after the other, by any process. */
import type { Queries } from './sql.ts';

/** Waits for its turn, and keeps it for the rest of the transaction. */
export async function lockNamed(tx: Queries, name: string): Promise<void> {
  await tx.sql('select 1 from pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
