/** Adds usage counts to the stored counts of all processes. */
import type { QueryHandle } from '../../db/index.ts';
import type { UsageKind } from '../../ports/usage.ts';

/** One row to write; the key columns in the order of the primary key. */
export interface UsageCount {
  day: number;
  kind: UsageKind;
  name: string;
  client: string;
  userId: string;
  businessId: string;
  calls: number;
}

export const buildUsageKey = ({ day, kind, name, client, userId, businessId }: UsageCount): string =>
  [day, kind, name, client, userId, businessId].join('\0');

/** Rows are sorted by key, so that concurrent processes take row locks in the same order and cannot deadlock. */
export async function writeUsageCounts(
  queries: QueryHandle,
  counts: readonly UsageCount[],
  at: number,
): Promise<void> {
  const rows = counts
    .map((count) => ({ key: buildUsageKey(count), count }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ count }) => count);
  await queries.write(
    `insert into usage (day, kind, name, client, user_id, business_id, calls, last_at)
     select day, kind, name, client, "userId", "businessId", calls, $2::bigint from json_to_recordset($1::json)
       as r(day bigint, kind text, name text, client text, "userId" text, "businessId" text, calls bigint)
     on conflict (day, kind, name, client, user_id, business_id)
     do update set calls = usage.calls + excluded.calls, last_at = greatest(usage.last_at, excluded.last_at)`,
    [JSON.stringify(rows), at],
  );
}
