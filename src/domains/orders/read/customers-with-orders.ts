/** Customers by their orders: filters user ids to those with an order, and registers everyone with an order at a business as its contact. */
import type { QueryHandle } from '../../../db/index.ts';
import { registerBusinessContactSource } from '../../shared/business-contacts.ts';

/** Ids of those customers that have any order. Old orders count: staff assign customers later, and import past orders. */
export async function filterCustomersWithOrders(
  queries: QueryHandle,
  customers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select distinct customer_id as id from orders where customer_id = any($1::uuid[])',
    [customers],
  );
  return new Set(rows.map(({ id }) => id));
}

// Everyone with an order at a business is a contact of that business.
registerBusinessContactSource({
  selectUserIds: (businesses) =>
    `select o.customer_id from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id is not null`,
  isContact: (user, businesses) =>
    `exists (select 1 from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id = ${user})`,
});
