/** A business and the people tied to it, as the public may know them. */
import type { Queries } from '../../db/sql.ts';

export interface Person {
  id: string;
  name: string;
}

/** SQL: the user `u` works for the business in parameter 1, or has bought from it. */
const isTied = `(exists (select 1 from memberships m where m.user_id = u.id and m.business_id = $1)
  or exists (select 1 from orders o where o.business_id = $1 and o.customer_id = u.id))`;

/** Those among `ids` who are tied to the business, by id. Nothing about them but their name. */
export async function loadPeople(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  const rows = await queries.sql<Person>(
    `select u.id, u.name from users u where u.id = any($2::uuid[]) and ${isTied}`,
    [businessId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What the business calls itself; empty when there is no such business. */
export async function businessName(queries: Queries, businessId: string): Promise<string> {
  const [row] = await queries.sql<{ name: string }>('select name from businesses where id = $1', [
    businessId,
  ]);
  return row?.name ?? '';
}
