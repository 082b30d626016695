/** Advisory lock of a transaction, by name. */
import type { QueryHandle } from './handles.ts';

/**
 * Takes the advisory lock `name`, which serialises changes across all processes without locking a row. Waits for the current
 * holder; released when the transaction ends.
 */
export async function takeAdvisoryLock(tx: QueryHandle, name: string): Promise<void> {
  await tx.sql('select 1 from pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
