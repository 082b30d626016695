/** Lists orders: staff with ORDERS_READ see all of their business, everybody else their own. */
import { assertBusinessExists } from '../../../auth/assert-business.ts';
import type { Context } from '../../../context.ts';
import { createConditionBuilder, loadFilteredPage, parsePageOrder } from '../../../db/pages/filtered-page.ts';
import { loadOwnedPage } from '../../../db/pages/owned-page.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { isId } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { type Order, orders, redactStatusActors } from '../model.ts';
import type { ListOrdersArgs, OrderFilterFields } from './filter-schemas.ts';

export async function listOrders(ctx: Context, asked: ListOrdersArgs): Promise<Page<Order>> {
  // Whoever does not read all orders reads their own.
  const staff = await ctx.viewer.hasPermission('ORDERS_READ', asked.businessId);
  const own = ctx.viewer.accountUser?.userId ?? null;
  const { params, conditions, isNarrow } = narrowedTo(asked, staff ? undefined : own);
  const { filter, sort = 'NEWEST' } = asked;
  const rows = {
    list: `orders:${asked.businessId}`,
    args: asked,
    columns: orders.columns,
    table: 'orders o',
    params,
    whenEmpty: () => assertBusinessExists(ctx, asked.businessId),
    toNodes: (found: readonly TableRow[]) =>
      found.map((row) => redactStatusActors(orders.read(row), staff, own)),
  };
  if (!filter && sort === 'NEWEST')
    return loadOwnedPage<TableRow, Order>(ctx, {
      owner: 'o.business_id',
      conditions: conditions.map(({ test }) => test),
      isSelective: conditions.length > 0,
      ...rows,
    });
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  const order = parsePageOrder(sort, sortKeys, isDated);
  return loadFilteredPage<TableRow, Order>(ctx, {
    owner: 'business_id',
    conditions,
    order,
    isSelective: isNarrow,
    ...rows,
  });
}

const sortKeys = {
  // One order for each number: the index that says so is the one that is walked.
  NUMBER: { column: 'number', type: 'int' },
  TOTAL: { column: 'total', type: 'bigint' },
  UPDATED: { column: 'updated_at', type: 'bigint' },
};

function narrowedTo(asked: ListOrdersArgs, customer: string | null | undefined) {
  const params: unknown[] = [isId(asked.businessId) ? asked.businessId : null];
  const { conditions, add, between } = createConditionBuilder('o', params);
  // Two plans, not one condition with "or": a customer's few orders are found by their own index.
  add(customer, (param) => `o.customer_id = ${param}`);
  const filter: OrderFilterFields = asked.filter ?? {};
  for (const { customerId } of [asked, filter])
    if (customerId !== undefined)
      add(isId(customerId) ? customerId : null, (param) => `o.customer_id = ${param}::uuid`);
  const statuses = [...(asked.statuses ?? []), ...(asked.status ? [asked.status] : [])];
  for (const some of [statuses, filter.statuses ?? []])
    if (some.length > 0) add(some, (param) => `o.status = any(${param}::text[])`);
  add(asked.paymentStatus, (param) => `o.payment_status = ${param}`);
  if (filter.paymentStatuses?.length)
    add(filter.paymentStatuses, (param) => `o.payment_status = any(${param}::text[])`);
  add(asked.ids?.filter(isId), (param) => `o.id = any(${param}::uuid[])`);
  add(filter.number, (param) => `o.number = ${param}`);
  add(filter.market?.toLowerCase(), (param) => `lower(o.market) = ${param}`);
  add(filter.currency, (param) => `o.currency = ${param}`);
  between('total', filter.minTotal, filter.maxTotal);
  between('created_at', filter.createdFrom, filter.createdTo);
  between('updated_at', filter.updatedFrom, filter.updatedTo);
  const isNarrow = Boolean(
    customer !== undefined ||
      asked.customerId ||
      filter.customerId ||
      asked.ids ||
      filter.number !== undefined,
  );
  return { params, conditions, isNarrow };
}
