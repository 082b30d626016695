/** Who in a business may do something, for those who tell them about it. */
import type { Permission } from '../../auth/permissions.ts';
import type { Queries } from '../../db/sql.ts';

/** Ids of the members who hold the permission, or ADMIN, in a fixed order. */
export async function membersHolding(
  queries: Queries,
  businessId: string,
  permission: Permission,
): Promise<string[]> {
  const rows = await queries.sql<{ user_id: string }>(
    `select m.user_id from memberships m join roles r on r.id = m.role_id
     where m.business_id = $1 and r.permissions && array['ADMIN', $2] order by m.user_id`,
    [businessId, permission],
  );
  return rows.map((row) => row.user_id);
}
