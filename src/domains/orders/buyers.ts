/** Whose accounts orders still need. */
import type { Queries } from '../../db/sql.ts';

/** Of these customers, those who have an order, however old: staff give customers to orders, and bring in those of the past. */
export async function haveOrders(
  queries: Queries,
  customers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select distinct customer_id as id from orders where customer_id = any($1::uuid[])',
    [customers],
  );
  return new Set(rows.map(({ id }) => id));
}
