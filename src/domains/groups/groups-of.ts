/** Which groups somebody is in: asked only when a price is for a group. */
import type { Queries } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';

const select = `select g.id, g.name from customer_group_members m
  join customer_groups g on g.business_id = m.business_id and g.id = m.group_id
  where m.business_id = $1 and m.user_id = $2 and m.group_id = any($3)`;

/** Names of the groups among `ids` that the customer is in, by id. Without a customer, or without groups, nothing is asked. */
export async function groupsOf(
  queries: Queries,
  { businessId, customerId }: { businessId: string; customerId?: string | undefined },
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (customerId === undefined || ids.length === 0 || !isId(businessId)) return new Map();
  const rows = await queries.sql<{ id: string; name: string }>(select, [businessId, customerId, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
