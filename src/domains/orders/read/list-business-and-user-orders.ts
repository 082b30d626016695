/** Pages of orders for the fields `Business.orders` and `User.orders`. */
import type { Context } from '../../../context.ts';
import { createSiblingPageLoader, loadOwnedPage, type TableRow } from '../../../db/index.ts';
import { forbiddenError } from '../../../errors.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import { type Order, orderTable, redactStatusActors } from '../model.ts';

const loadBusinessOrderPages = createSiblingPageLoader<Context, TableRow, Order>((_ctx, businessId) => ({
  list: `orders:${businessId}`,
  columns: orderTable.columns,
  table: orderTable.from,
  owner: 'o.business_id',
  params: [businessId],
  conditions: [],
  toNodes: (rows) => rows.map(orderTable.read),
}));

/** All orders of a business. Requires ORDERS_READ. */
export async function listBusinessOrders(
  ctx: Context,
  businessId: string,
  args: PageArgs,
): Promise<Page<Order>> {
  if (!(await ctx.viewer.hasPermission('ORDERS_READ', businessId))) throw forbiddenError();
  return loadBusinessOrderPages(ctx, businessId, args);
}

/** Orders of a user across all businesses, as a customer sees them. Only the user themself may list them. */
export function listUserOrders(
  ctx: Context,
  { id, isSelf }: { id: string; isSelf: boolean },
  args: PageArgs,
): Promise<Page<Order>> {
  if (!isSelf) throw forbiddenError();
  return loadOwnedPage<TableRow, Order>(ctx, {
    list: `orders-of:${id}`,
    args,
    columns: orderTable.columns,
    table: orderTable.from,
    owner: 'o.customer_id',
    params: [id],
    conditions: [],
    toNodes: (rows) => rows.map((row) => redactStatusActors(orderTable.read(row), false, id)),
  });
}
