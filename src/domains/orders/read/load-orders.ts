/** Reads several orders at once, for records that point at them. */

import { hasPermissionSql, permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { type Order, orders, redactStatusActors } from '../model.ts';

const isStaff = hasPermissionSql('$1', '$3', 'ORDERS_READ', 'ORDERS_WRITE');

/** The orders among `ids` that the viewer may see, by id: their own, or all when they may read orders. */
export async function loadOrders(
  ctx: Context,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Order>> {
  const own = ctx.viewer.accountUser?.userId ?? null;
  const rows = await ctx.db.sql<TableRow & { staff: boolean }>(
    `select ${orders.columns}, ${isStaff} as staff from ${orders.from} where o.business_id = $1 and o.id = any($2::uuid[])
       and (o.customer_id = $4::uuid or ${isStaff})`,
    [businessId, ids, permissionUserId(ctx.viewer, 'ORDERS_READ'), own],
  );
  return new Map(rows.map((row) => [row.id, redactStatusActors(orders.read(row), row.staff, own)]));
}

const isStaffThere = hasPermissionSql('o.business_id', '$2', 'ORDERS_READ', 'ORDERS_WRITE');

/** The same of whatever business. */
export async function loadOrdersAcrossBusinesses(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Order>> {
  const own = ctx.viewer.accountUser?.userId ?? null;
  const rows = await ctx.db.sql<TableRow & { staff: boolean }>(
    `select ${orders.columns}, ${isStaffThere} as staff from ${orders.from} where o.id = any($1::uuid[])
       and (o.customer_id = $3::uuid or ${isStaffThere})`,
    [ids, permissionUserId(ctx.viewer, 'ORDERS_READ'), own],
  );
  return new Map(rows.map((row) => [row.id, redactStatusActors(orders.read(row), row.staff, own)]));
}

/** Which of `ids` are orders of the business. */
export async function findExistingOrderIds(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from orders where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}
