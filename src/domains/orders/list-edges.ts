/** Orders as other records show them: those of a business, and those of a person. */
import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import { siblingPages } from '../../db/sibling-pages.ts';
import type { Row } from '../../db/table.ts';
import { forbidden } from '../../errors.ts';
import type { Page, PageArgs } from '../../lib/paging.ts';
import { type Order, orders, seenBy } from './model.ts';

const allOrdersOf = siblingPages<Context, Row, Order>((_ctx, businessId) => ({
  list: `orders:${businessId}`,
  columns: orders.columns,
  table: orders.from,
  owner: 'o.business_id',
  params: [businessId],
  conditions: [],
  toNodes: (rows) => rows.map(orders.read),
}));

/** All orders of a business, for staff alone. */
export async function ordersOf(ctx: Context, businessId: string, args: PageArgs): Promise<Page<Order>> {
  if (!(await ctx.viewer.can('ORDERS_READ', businessId))) throw forbidden();
  return allOrdersOf(ctx, businessId, args);
}

/** What a person has ordered, of whatever business, as customers see it and for themself alone. */
export function ordersOfPerson(
  ctx: Context,
  { id, isSelf }: { id: string; isSelf: boolean },
  args: PageArgs,
): Promise<Page<Order>> {
  if (!isSelf) throw forbidden();
  return ownedPage<Row, Order>(ctx, {
    list: `orders-of:${id}`,
    args,
    columns: orders.columns,
    table: orders.from,
    owner: 'o.customer_id',
    params: [id],
    conditions: [],
    toNodes: (rows) => rows.map((row) => seenBy(orders.read(row), false, id)),
  });
}
