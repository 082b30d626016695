/** Whose accounts orders still need. */
import type { Queries } from '../../../db/handles.ts';
import { registerContactSource } from '../../shared/business-contacts.ts';

/** Of these customers, those who have an order, however old: staff give customers to orders, and bring in those of the past. */
export async function filterCustomersWithOrders(
  queries: Queries,
  customers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select distinct customer_id as id from orders where customer_id = any($1::uuid[])',
    [customers],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The people who bought from a business, as a part of other queries. */

registerContactSource({
  selectUserIds: (businesses) =>
    `select o.customer_id from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id is not null`,
  isContact: (user, businesses) =>
    `exists (select 1 from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id = ${user})`,
});
