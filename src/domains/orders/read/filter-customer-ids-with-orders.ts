/** Filters user ids to the customers that have an order. */
import { businessServersOf, type QueryHandle } from '../../../db/index.ts';

/** Ids of those customers that have any order. Old orders count: staff assign customers later, and import past orders. */
export async function filterCustomerIdsWithOrders(
  queries: QueryHandle,
  customers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await Promise.all(
    businessServersOf(queries).map((server) =>
      server.sql<{ id: string }>(
        'select distinct customer_id as id from orders where customer_id = any($1::uuid[])',
        [customers],
      ),
    ),
  );
  return new Set(rows.flat().map(({ id }) => id));
}
