/** Throws away what is old, a little at a time, so that nobody waits for it. */
import type { RetentionKey } from '../lib/retention-keys.ts';
import type { Queries } from './handles.ts';

/** What a domain no longer needs of one of its tables. */
export interface RetentionRule {
  /** How long it is kept: a name in the configuration of retention. */
  readonly retentionKey: RetentionKey;
  readonly table: string;
  /** SQL: the row is old. `$1` is the moment before which it is, in seconds. */
  readonly expiredCondition: string;
}

export const retentionBatchSize = 500;
/** A run that has so much to do, two million rows, leaves the rest to the next one. */
const mostBatches = 4000;

/** Returns how many rows are gone. Rows that somebody holds are left for the next time. */
export async function deleteExpiredRows(
  queries: Queries,
  { table, expiredCondition: old }: RetentionRule,
  before: number,
): Promise<number> {
  const statement = `delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${old} limit ${retentionBatchSize} for update skip locked)) returning 1`;
  let total = 0;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const gone = (await queries.sql(statement, [before])).length;
    total += gone;
    if (gone < retentionBatchSize) break;
  }
  return total;
}
