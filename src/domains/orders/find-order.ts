/** Reads orders: staff with ORDERS_READ see all of their business, everybody else their own. */
import { expectBusiness } from '../../auth/expect-business.ts';
import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import type { Row } from '../../db/table.ts';
import { isId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';

import type { OrderFilter } from './checks.ts';
import { type Order, orders, seenBy } from './model.ts';

const isStaff = holds('$1', '$4', 'ORDERS_READ', 'ORDERS_WRITE');
const select = `select ${orders.columns}, ${isStaff} as staff from ${orders.from}
  where o.business_id = $1 and o.id = $2 and (o.customer_id = $3 or ${isStaff})`;

export async function findOrder(
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Order | undefined> {
  if (!isId(businessId) || !isId(id) || !ctx.viewer.user) return undefined;
  const { userId } = ctx.viewer.user;
  const [row] = await ctx.db.sql<Row & { staff: boolean }>(select, [
    businessId,
    id,
    userId,
    permissionHolder(ctx.viewer, 'ORDERS_READ'),
  ]);
  return row && seenBy(orders.read(row), row.staff, userId);
}

export async function listOrders(ctx: Context, filter: OrderFilter): Promise<Page<Order>> {
  // Whoever does not read all orders reads their own.
  const staff = await ctx.viewer.can('ORDERS_READ', filter.businessId);
  const own = ctx.viewer.user?.userId ?? null;
  return ownedPage<Row, Order>(ctx, {
    ...conditionsOf(filter, staff ? undefined : own),
    list: `orders:${filter.businessId}`,
    args: filter,
    columns: orders.columns,
    table: 'orders o',
    owner: 'o.business_id',
    whenEmpty: () => expectBusiness(ctx, filter.businessId),
    toNodes: (rows) => rows.map((row) => seenBy(orders.read(row), staff, own)),
  });
}

function conditionsOf(filter: OrderFilter, customer: string | null | undefined) {
  const params: unknown[] = [isId(filter.businessId) ? filter.businessId : null];
  const conditions: string[] = [];
  const add = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  // Two plans, not one condition with "or": a customer's few orders are found by their own index.
  if (customer !== undefined) add(customer, (param) => `o.customer_id = ${param}`);
  if (filter.customerId !== undefined) {
    add(isId(filter.customerId) ? filter.customerId : null, (param) => `o.customer_id = ${param}::uuid`);
  }
  const statuses = [...(filter.statuses ?? []), ...(filter.status ? [filter.status] : [])];
  if (statuses.length > 0) add(statuses, (param) => `o.status = any(${param}::text[])`);
  if (filter.paymentStatus) add(filter.paymentStatus, (param) => `o.payment_status = ${param}`);
  if (filter.ids) add(filter.ids.filter(isId), (param) => `o.id = any(${param}::uuid[])`);
  return { conditions, params, narrowed: conditions.length > 0 };
}
