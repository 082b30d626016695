/** Reads one order: staff with ORDERS_READ see all of their business, everybody else their own. */
import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { isId } from '../../lib/ids.ts';
import { type Order, orders, seenBy } from './model.ts';

const isStaff = holds('$1', '$4', 'ORDERS_READ', 'ORDERS_WRITE');
const select = `select ${orders.columns}, ${isStaff} as staff from ${orders.from}
  where o.business_id = $1 and o.id = $2 and (o.customer_id = $3 or ${isStaff})`;

export async function findOrder(
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Order | undefined> {
  if (!isId(businessId) || !isId(id)) return undefined;
  const own = ctx.viewer.person?.userId ?? null;
  const [row] = await ctx.db.sql<Row & { staff: boolean }>(select, [
    businessId,
    id,
    own,
    permissionHolder(ctx.viewer, 'ORDERS_READ'),
  ]);
  return row && seenBy(orders.read(row), row.staff, own);
}
