/** Pages of orders for the fields `Business.orders` and `User.orders`. */
import type { Context } from '../../../context.ts';
import {
  createSiblingPageLoader,
  definePageRecordSource,
  loadOwnedPage,
  type UntypedRow,
} from '../../../db/index.ts';
import { forbiddenError, missingPermissionError } from '../../../errors.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import { type Order, orderTable, redactStatusActors } from '../model.ts';
import { staffOrderPageSource } from './list-orders.ts';

const loadBusinessOrderPages = createSiblingPageLoader(staffOrderPageSource, (_ctx: Context, businessId) => ({
  list: `orders:${businessId}`,
  owner: 'o.business_id',
  params: [businessId],
  conditions: [],
}));

/** All orders of a business. Requires ORDERS_READ. */
export async function listBusinessOrders(
  ctx: Context,
  businessId: string,
  args: PageArgs,
): Promise<Page<Order>> {
  if (!(await ctx.viewer.hasPermission('ORDERS_READ', businessId)))
    throw missingPermissionError('ORDERS_READ');
  return loadBusinessOrderPages(ctx, businessId, args);
}

/** Orders of a user across all businesses, as a customer sees them. Only the user themself may list them. */
export function listUserOrders(
  ctx: Context,
  { id, isSelf }: { id: string; isSelf: boolean },
  args: PageArgs,
): Promise<Page<Order>> {
  if (!isSelf) throw forbiddenError();
  return loadOwnedPage(ctx, {
    records: userOrderRecords,
    list: `orders-of:${id}`,
    args,
    owner: 'o.customer_id',
    params: [id],
    conditions: [],
  });
}

/** Parameter: the customer. */
const userOrderRecords = definePageRecordSource({
  columns: orderTable.columns,
  table: orderTable.from,
  toNodes: (rows: readonly UntypedRow[], [customer]: readonly [string]) =>
    rows.map((row) => redactStatusActors(orderTable.read(row), false, customer)),
});
