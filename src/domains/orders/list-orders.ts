/** Lists orders: staff with ORDERS_READ see all of their business, everybody else their own. */
import { expectBusiness } from '../../auth/expect-business.ts';
import type { Context } from '../../context.ts';
import { filteredPage, gatherConditions, orderOf } from '../../db/filtered-page.ts';
import { ownedPage } from '../../db/owned-page.ts';
import type { Row } from '../../db/table.ts';
import { isId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import type { OrderFilter, OrderNarrowing } from './find-checks.ts';
import { type Order, orders, seenBy } from './model.ts';

export async function listOrders(ctx: Context, asked: OrderFilter): Promise<Page<Order>> {
  // Whoever does not read all orders reads their own.
  const staff = await ctx.viewer.can('ORDERS_READ', asked.businessId);
  const own = ctx.viewer.person?.userId ?? null;
  const { params, conditions, isNarrow } = narrowedTo(asked, staff ? undefined : own);
  const { filter, sort = 'NEWEST' } = asked;
  const rows = {
    list: `orders:${asked.businessId}`,
    args: asked,
    columns: orders.columns,
    table: 'orders o',
    params,
    whenEmpty: () => expectBusiness(ctx, asked.businessId),
    toNodes: (found: readonly Row[]) => found.map((row) => seenBy(orders.read(row), staff, own)),
  };
  if (!filter && sort === 'NEWEST')
    return ownedPage<Row, Order>(ctx, {
      owner: 'o.business_id',
      conditions: conditions.map(({ test }) => test),
      narrowed: conditions.length > 0,
      ...rows,
    });
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  const order = orderOf(sort, sortKeys, isDated);
  return filteredPage<Row, Order>(ctx, { owner: 'business_id', conditions, order, isNarrow, ...rows });
}

const sortKeys = {
  // One order for each number: the index that says so is the one that is walked.
  NUMBER: { column: 'number', type: 'int' },
  TOTAL: { column: 'total', type: 'bigint' },
  UPDATED: { column: 'updated_at', type: 'bigint' },
};

function narrowedTo(asked: OrderFilter, customer: string | null | undefined) {
  const params: unknown[] = [isId(asked.businessId) ? asked.businessId : null];
  const { conditions, add, between } = gatherConditions('o', params);
  // Two plans, not one condition with "or": a customer's few orders are found by their own index.
  add(customer, (param) => `o.customer_id = ${param}`);
  const filter: OrderNarrowing = asked.filter ?? {};
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
