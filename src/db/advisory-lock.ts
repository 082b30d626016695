/**
 * Advisory lock of a transaction, by name: PostgreSQL grants it to one transaction at a time, of any process, and releases it when
 * that transaction ends.
 */
import type { QueryHandle } from './handles.ts';

/**
 * Takes the advisory lock `name`, which serialises changes across all processes without locking a row. Waits for the current
 * holder.
 */
export async function takeAdvisoryLock(tx: QueryHandle, name: string): Promise<void> {
  await tx.sql('select 1 from pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
