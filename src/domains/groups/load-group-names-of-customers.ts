/** Loads the group memberships of customers. Called only for prices that depend on a group. */
import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { createPerRequestLoader } from '../../lib/cache/per-request-loader.ts';
import { isId } from '../../lib/ids.ts';

interface Membership {
  business_id: string;
  id: string;
  name: string;
}

const selectForCustomer = `select g.business_id, g.id, g.name from customer_group_members m
  join customer_groups g on g.business_id = m.business_id and g.id = m.group_id
  where m.business_id = any($1::uuid[]) and m.user_id = $2 and m.group_id = any($3)`;

/** Names of the groups among `ids` that the customer belongs to, by id. No query without a customer or without ids. */
export async function loadGroupNamesOfCustomer(
  queries: QueryHandle,
  { businessId, customerId }: { businessId: string; customerId?: string | undefined },
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (customerId === undefined || ids.length === 0 || !isId(businessId)) return new Map();
  const rows = await queries.sql<Membership>(selectForCustomer, [[businessId], customerId, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const selectForCustomers = `select m.business_id, m.user_id, g.id, g.name from customer_group_members m
  join customer_groups g on g.business_id = m.business_id and g.id = m.group_id
  where m.business_id = any($1::uuid[]) and m.user_id = any($2::uuid[]) and m.group_id = any($3)`;

interface CustomerOfBusiness {
  businessId: string;
  customerId?: string | undefined;
}

/** Like `loadGroupNamesOfCustomer`, for many customers of several businesses in one query. */
export async function loadGroupNamesOfCustomers(
  queries: QueryHandle,
  customers: readonly CustomerOfBusiness[],
  ids: readonly string[],
): Promise<(customer: CustomerOfBusiness) => ReadonlyMap<string, string>> {
  if (ids.length === 0) return () => new Map();
  const rows = await queries.sql<Membership & { user_id: string }>(selectForCustomers, [
    customers.map(({ businessId }) => businessId),
    customers.flatMap(({ customerId }) => customerId ?? []),
    ids,
  ]);
  return ({ businessId, customerId }) =>
    new Map(
      rows
        .filter((row) => row.business_id === businessId && row.user_id === customerId)
        .map(({ id, name }) => [id, name]),
    );
}

const groupKey = (businessId: string, id: string) => `${businessId}/${id}`;

/** Group names of the viewer by `<businessId>/<id>`; one query for all businesses. */
const loadGroupName = createPerRequestLoader(async (ctx: Context, keys) => {
  const businessIds = new Set(keys.map((key) => key.slice(0, key.indexOf('/'))));
  const ids = new Set(keys.map((key) => key.slice(key.indexOf('/') + 1)));
  const params = [[...businessIds], ctx.viewer.accountUser?.userId ?? null, [...ids]];
  const rows = await ctx.db.sql<Membership>(selectForCustomer, params);
  return new Map(rows.map((row) => [groupKey(row.business_id, row.id), row.name]));
});

/** Like `loadGroupNamesOfCustomer`, for the viewer, batched over all records of a response. */
export async function loadGroupNamesOfViewer(
  ctx: Context,
  businessId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(ids.map((id) => loadGroupName(ctx, groupKey(businessId, id))));
  return new Map(
    ids.flatMap((id, index) => {
      const name = names[index];
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
}
