/** Adds the number of requests that the log omitted to the counts of the day. */
import { buildBusinessExistsConditionSql } from '../../auth/permission-condition-sql.ts';
import type { QueryHandle } from '../../db/index.ts';

export async function writeSkippedCounts(
  queries: QueryHandle,
  skipped: ReadonlyMap<string, number>,
  time: number,
): Promise<void> {
  // Sorted, so that concurrent processes take row locks in the same order.
  const rows = [...skipped].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, count]) => ({ id, count }));
  await queries.write(
    `insert into request_log_settings (business_id, skipped_day, skipped_count)
     select r.id, $2::bigint, r.count from jsonb_to_recordset($1::jsonb) as r(id uuid, count bigint)
     where ${buildBusinessExistsConditionSql('r.id')}
     on conflict (business_id) do update set skipped_day = excluded.skipped_day, skipped_count = excluded.skipped_count
       + case when request_log_settings.skipped_day = excluded.skipped_day then request_log_settings.skipped_count else 0 end`,
    [JSON.stringify(rows), time - (time % 86_400)],
  );
}
