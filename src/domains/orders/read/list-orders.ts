/** `orders`: with ORDERS_READ all orders of the business, otherwise the viewer's own. */
import { assertBusinessExists } from '../../../auth/assert-business-exists.ts';
import type { Context } from '../../../context.ts';
import {
  createSqlConditionBuilder,
  definePageRecordSource,
  loadFilteredPage,
  loadOwnedPage,
  parsePageOrder,
  type UntypedRow,
} from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { type Order, orderTable, redactStatusActors } from '../model.ts';
import type { ListOrdersArgs, OrderFilterFields } from './filter-schemas.ts';

export async function listOrders(ctx: Context, input: ListOrdersArgs): Promise<Page<Order>> {
  const staff = await ctx.viewer.hasPermission('ORDERS_READ', input.businessId);
  const userId = ctx.viewer.accountUser?.userId ?? null;
  const { params, conditions, isNarrow } = buildConditions(input, staff ? undefined : userId);
  const { filter, sort = 'NEWEST' } = input;
  const rows = {
    records: staff ? staffOrderPageSource : customerOrderRecords,
    list: `orders:${input.businessId}`,
    args: input,
    params,
    whenEmpty: () => assertBusinessExists(ctx, input.businessId),
  };
  if (!filter && sort === 'NEWEST')
    return loadOwnedPage(ctx, {
      owner: 'o.business_id',
      conditions: conditions.map(({ test }) => test),
      isSelective: conditions.length > 0,
      ...rows,
    });
  const isDated = filter?.createdFrom !== undefined || filter?.createdTo !== undefined;
  const order = parsePageOrder(sort, sortKeys, isDated);
  return loadFilteredPage(ctx, {
    owner: 'business_id',
    // One of the conditions limits a customer to the customer's own orders.
    visibility: null,
    conditions,
    order,
    isSelective: isNarrow,
    ...rows,
  });
}

export const staffOrderPageSource = definePageRecordSource({
  columns: orderTable.columns,
  table: orderTable.from,
  toNodes: (rows: readonly UntypedRow[], _params: readonly unknown[]) => rows.map(orderTable.read),
});

/** Parameters: business, customer, and those of the filter. */
const customerOrderRecords = definePageRecordSource({
  columns: orderTable.columns,
  table: orderTable.from,
  toNodes: (rows: readonly UntypedRow[], [, customer]: readonly unknown[]) =>
    rows.map((row) => redactStatusActors(orderTable.read(row), false, customer as string | null)),
});

const sortKeys = {
  // PERF: the unique index on (business_id, number) serves this sort order.
  NUMBER: { column: 'number', type: 'int' },
  TOTAL: { column: 'total', type: 'bigint' },
  UPDATED: { column: 'updated_at', type: 'bigint' },
};

function buildConditions(input: ListOrdersArgs, customer: string | null | undefined) {
  const params: unknown[] = [isId(input.businessId) ? input.businessId : null];
  const { conditions, add, between } = createSqlConditionBuilder('o', params);
  // PERF: a separate condition instead of "or", so that the planner uses the index on customer_id for a customer's own orders.
  add(customer, (param) => `o.customer_id = ${param}`);
  const filter: OrderFilterFields = input.filter ?? {};
  for (const { customerId } of [input, filter])
    if (customerId !== undefined)
      add(isId(customerId) ? customerId : null, (param) => `o.customer_id = ${param}::uuid`);
  const statuses = [...(input.statuses ?? []), ...(input.status ? [input.status] : [])];
  for (const allowed of [statuses, filter.statuses ?? []])
    if (allowed.length > 0) add(allowed, (param) => `o.status = any(${param}::text[])`);
  add(input.paymentStatus, (param) => `o.payment_status = ${param}`);
  if (filter.paymentStatuses?.length)
    add(filter.paymentStatuses, (param) => `o.payment_status = any(${param}::text[])`);
  add(input.ids?.filter(isId), (param) => `o.id = any(${param}::uuid[])`);
  add(filter.number, (param) => `o.number = ${param}`);
  add(filter.market?.toLowerCase(), (param) => `lower(o.market) = ${param}`);
  add(filter.currency, (param) => `o.currency = ${param}`);
  between('total', filter.minTotal, filter.maxTotal);
  between('created_at', filter.createdFrom, filter.createdTo);
  between('updated_at', filter.updatedFrom, filter.updatedTo);
  const isNarrow = Boolean(
    customer !== undefined ||
      input.customerId ||
      filter.customerId ||
      input.ids ||
      filter.number !== undefined,
  );
  return { params, conditions, isNarrow };
}
