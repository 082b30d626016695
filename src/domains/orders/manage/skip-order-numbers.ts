/** Skips order numbers after a restore: orders that the restored database lacks may have been confirmed with them. */
import type { Db } from '../../../db/index.ts';

export interface SkippedOrderNumbers {
  businessId: string;
  /** Number of the next order. */
  next: number;
}

// Freed numbers are skipped too: a lost order may have got one of them.
const statement = `
  insert into order_numbers as n (business_id, last, given, skipped)
  select b.id, 1000 + $1::int, 1000 + $1::int, $1::int from unnest($2::uuid[]) with ordinality as b (id, position) order by position
  on conflict (business_id) do update set
    last = n.last + $1::int, skipped = n.skipped + $1::int + cardinality(n.freed), freed = '{}'
  returning n.business_id as "businessId", n.last + 1 as next`;

/** Skips the next `count` numbers of each business. The businesses must exist. */
export const skipOrderNumbers = (
  db: Db,
  count: number,
  businessIds: readonly string[],
): Promise<SkippedOrderNumbers[]> => db.write<SkippedOrderNumbers>(statement, [count, businessIds]);
