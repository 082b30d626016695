/** Reads orders: staff with ORDERS_READ see all of their business, everybody else their own. */

import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import type { Row } from '../../db/table.ts';
import { isId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import type { OrderFilter } from './checks.ts';
import { type Order, orders } from './model.ts';

const select = `select ${orders.columns} from ${orders.from}
  where o.business_id = $1 and o.id = $2 and (o.customer_id = $3 or ${holds('$1', '$4', 'ORDERS_READ', 'ORDERS_WRITE')})`;

export async function findOrder(
  ctx: Context,
  { businessId, id }: { businessId: string; id: string },
): Promise<Order | undefined> {
  if (!isId(businessId) || !isId(id) || !ctx.viewer.user) return undefined;
  const [row] = await ctx.db.sql<Row>(select, [
    businessId,
    id,
    ctx.viewer.user.userId,
    permissionHolder(ctx.viewer),
  ]);
  return row && orders.read(row);
}

export async function listOrders(ctx: Context, filter: OrderFilter): Promise<Page<Order>> {
  return ownedPage<Row, Order>(ctx, {
    ...(await conditionsOf(ctx, filter)),
    list: `orders:${filter.businessId}`,
    args: filter,
    columns: orders.columns,
    table: 'orders o',
    owner: 'o.business_id',
    toNodes: (rows) => rows.map(orders.read),
  });
}

async function conditionsOf(ctx: Context, filter: OrderFilter) {
  const params: unknown[] = [isId(filter.businessId) ? filter.businessId : null];
  const conditions: string[] = [];
  const add = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  // Two plans, not one condition with "or": a customer's few orders are found by their own index.
  if (!(await ctx.viewer.can('ORDERS_READ', filter.businessId))) {
    add(ctx.viewer.user?.userId ?? null, (param) => `o.customer_id = ${param}`);
  }
  if (filter.customerId !== undefined) {
    add(isId(filter.customerId) ? filter.customerId : null, (param) => `o.customer_id = ${param}::uuid`);
  }
  const statuses = [...(filter.statuses ?? []), ...(filter.status ? [filter.status] : [])];
  if (statuses.length > 0) add(statuses, (param) => `o.status = any(${param}::text[])`);
  if (filter.paymentStatus) add(filter.paymentStatus, (param) => `o.payment_status = ${param}`);
  if (filter.ids) add(filter.ids.filter(isId), (param) => `o.id = any(${param}::uuid[])`);
  return { conditions, params, narrowed: conditions.length > 0 };
}
