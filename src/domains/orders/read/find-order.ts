/** Finds one order that the viewer may see: with ORDERS_READ any order of the business, otherwise only their own. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import type { Context } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import { type Order, orderTable, redactStatusActors } from '../model.ts';

const isStaff = buildPermissionConditionSql('$1', '$4', 'ORDERS_READ', 'ORDERS_WRITE');
const select = `select ${orderTable.columns}, ${isStaff} as staff from ${orderTable.from}
  where o.business_id = $1 and o.id = $2 and (o.customer_id = $3 or ${isStaff})`;

export async function findOrder(
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Order | undefined> {
  if (!isId(businessId) || !isId(id)) return undefined;
  const userId = ctx.viewer.accountUser?.userId ?? null;
  const [row] = await ctx.db.sql<UntypedRow & { staff: boolean }>(select, [
    businessId,
    id,
    userId,
    ctx.viewer.userIdForPermissionSql('ORDERS_READ'),
  ]);
  return row && redactStatusActors(orderTable.read(row), row.staff, userId);
}
