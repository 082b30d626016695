/** Deletes expired rows of a table in small batches, so that other transactions do not wait for long locks. */
import type { RetentionPeriodName } from '../lib/retention-period-names.ts';
import type { QueryHandle } from './handles.ts';

/** Retention of one table: which of its rows expire, and after how long. */
export interface RetentionRule {
  /** Name of the retention period in the configuration. */
  readonly retentionKey: RetentionPeriodName;
  readonly table: string;
  /** SQL condition for an expired row. `$1` is the cutoff in Unix seconds. */
  readonly expiredCondition: string;
}

export const retentionBatchSize = 500;
/** Upper limit per run: 4,000 batches, two million rows. The next run continues. */
const maxBatches = 4000;

/** Returns the number of deleted rows. Rows locked by other transactions are skipped until the next run. */
export async function deleteExpiredRows(
  queries: QueryHandle,
  { table, expiredCondition }: RetentionRule,
  cutoff: number,
): Promise<number> {
  const statement = `delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${expiredCondition} limit ${retentionBatchSize} for update skip locked)) returning 1`;
  let total = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const deleted = (await queries.write(statement, [cutoff])).length;
    total += deleted;
    if (deleted < retentionBatchSize) break;
  }
  return total;
}
