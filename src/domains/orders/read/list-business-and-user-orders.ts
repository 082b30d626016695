/** Orders as other records show them: those of a business, and those of a person. */
import type { Context } from '../../../context.ts';
import { loadOwnedPage } from '../../../db/pages/owned-page.ts';
import { createSiblingPageLoader } from '../../../db/pages/sibling-pages.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { forbiddenError } from '../../../errors.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import { type Order, orders, redactStatusActors } from '../model.ts';

const allOrdersOf = createSiblingPageLoader<Context, TableRow, Order>((_ctx, businessId) => ({
  list: `orders:${businessId}`,
  columns: orders.columns,
  table: orders.from,
  owner: 'o.business_id',
  params: [businessId],
  conditions: [],
  toNodes: (rows) => rows.map(orders.read),
}));

/** All orders of a business, for staff alone. */
export async function listBusinessOrders(
  ctx: Context,
  businessId: string,
  args: PageArgs,
): Promise<Page<Order>> {
  if (!(await ctx.viewer.hasPermission('ORDERS_READ', businessId))) throw forbiddenError();
  return allOrdersOf(ctx, businessId, args);
}

/** What a person has ordered, of whatever business, as customers see it and for themself alone. */
export function listUserOrders(
  ctx: Context,
  { id, isSelf }: { id: string; isSelf: boolean },
  args: PageArgs,
): Promise<Page<Order>> {
  if (!isSelf) throw forbiddenError();
  return loadOwnedPage<TableRow, Order>(ctx, {
    list: `orders-of:${id}`,
    args,
    columns: orders.columns,
    table: orders.from,
    owner: 'o.customer_id',
    params: [id],
    conditions: [],
    toNodes: (rows) => rows.map((row) => redactStatusActors(orders.read(row), false, id)),
  });
}
