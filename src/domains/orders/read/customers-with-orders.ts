/** Customers and payments by orders: filters user ids to those with an order, finds paid businesses, and registers everyone with an order at a business as its contact. */
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

/** True once any order of the business was paid. */
export async function hasPaidOrder(queries: QueryHandle, businessId: string): Promise<boolean> {
  const rows = await queries.sql('select 1 from orders where business_id = $1 and captured > 0 limit 1', [
    businessId,
  ]);
  return rows.length > 0;
}

// Everyone with an order at a business is a contact of that business.
registerBusinessContactSource({
  selectUserIds: (businesses) =>
    `select o.customer_id from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id is not null`,
  isContact: (user, businesses) =>
    `exists (select 1 from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id = ${user})`,
  // Not by an order that staff created: they may name any guest as its customer.
  isVoluntaryContact: (user, businesses) =>
    `exists (select 1 from orders o where o.business_id = any(${businesses}::uuid[]) and o.customer_id = ${user}
       and coalesce(o.statuses -> 0 ->> 'userId', ${user}::text) = ${user}::text)`,
});
