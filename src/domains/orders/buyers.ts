/** Whose accounts orders still need. */
import type { Queries } from '../../db/sql.ts';
import { firstIdAt } from '../../lib/ids.ts';

/** Of these customers, those who have ordered something since then. */
export async function haveOrders(
  queries: Queries,
  customers: readonly string[],
  since: number,
): Promise<ReadonlySet<string>> {
  // Ids ascend with time: only orders younger than the customers are looked at.
  const rows = await queries.sql<{ id: string }>(
    'select distinct customer_id as id from orders where id >= $1::uuid and customer_id = any($2::uuid[])',
    [firstIdAt(since), customers],
  );
  return new Set(rows.map(({ id }) => id));
}
