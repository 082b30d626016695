/** Batched loading of orders by id, for records that reference them. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import type { Context } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { type Order, orderTable, redactStatusActors } from '../model.ts';

const isStaff = buildPermissionConditionSql('$1', '$3', 'ORDERS_READ', 'ORDERS_WRITE');

/** Orders of one business that the viewer may see, by id: with ORDERS_READ all of `ids`, otherwise the viewer's own. */
export async function loadOrders(
  ctx: Context,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Order>> {
  const userId = ctx.viewer.accountUser?.userId ?? null;
  const rows = await ctx.db.sql<UntypedRow & { staff: boolean }>(
    `select ${orderTable.columns}, ${isStaff} as staff from ${orderTable.from} where o.business_id = $1 and o.id = any($2::uuid[])
       and (o.customer_id = $4::uuid or ${isStaff})`,
    [businessId, ids, ctx.viewer.userIdForPermissionSql('ORDERS_READ'), userId],
  );
  return new Map(rows.map((row) => [row.id, redactStatusActors(orderTable.read(row), row.staff, userId)]));
}

const isStaffOfBusiness = buildPermissionConditionSql('o.business_id', '$2', 'ORDERS_READ', 'ORDERS_WRITE');

/** Like `loadOrders`, but across all businesses. */
export async function loadOrdersByIdInAnyBusiness(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Order>> {
  const userId = ctx.viewer.accountUser?.userId ?? null;
  const rows = await ctx.db.sql<UntypedRow & { staff: boolean }>(
    `select ${orderTable.columns}, ${isStaffOfBusiness} as staff from ${orderTable.from} where o.id = any($1::uuid[])
       and (o.customer_id = $3::uuid or ${isStaffOfBusiness})`,
    [ids, ctx.viewer.userIdForPermissionSql('ORDERS_READ'), userId],
  );
  return new Map(rows.map((row) => [row.id, redactStatusActors(orderTable.read(row), row.staff, userId)]));
}

/** The subset of `ids` that are orders of the business. */
export async function findExistingOrderIds(
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    'select id from orders where business_id = $1 and id = any($2::uuid[])',
    [businessId, ids],
  );
  return new Set(rows.map((row) => row.id));
}
