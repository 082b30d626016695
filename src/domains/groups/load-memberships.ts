/** Which groups somebody is in: asked only when a price is for a group. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { createRequestLoader } from '../../lib/cache/request-loader.ts';
import { isId } from '../../lib/ids.ts';

interface Membership {
  business_id: string;
  id: string;
  name: string;
}

const select = `select g.business_id, g.id, g.name from customer_group_members m
  join customer_groups g on g.business_id = m.business_id and g.id = m.group_id
  where m.business_id = any($1::uuid[]) and m.user_id = $2 and m.group_id = any($3)`;

/** Names of the groups among `ids` that the customer is in, by id. Without a customer, or without groups, nothing is asked. */
export async function loadGroupsOfCustomer(
  queries: Queries,
  { businessId, customerId }: { businessId: string; customerId?: string | undefined },
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (customerId === undefined || ids.length === 0 || !isId(businessId)) return new Map();
  const rows = await queries.sql<Membership>(select, [[businessId], customerId, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const selectMany = `select m.business_id, m.user_id, g.id, g.name from customer_group_members m
  join customer_groups g on g.business_id = m.business_id and g.id = m.group_id
  where m.business_id = any($1::uuid[]) and m.user_id = any($2::uuid[]) and m.group_id = any($3)`;

interface Somebody {
  businessId: string;
  customerId?: string | undefined;
}

/** The same for several people in several businesses, by one statement. */
export async function loadGroupsOfCustomers(
  queries: Queries,
  people: readonly Somebody[],
  ids: readonly string[],
): Promise<(one: Somebody) => ReadonlyMap<string, string>> {
  if (ids.length === 0) return () => new Map();
  const rows = await queries.sql<Membership & { user_id: string }>(selectMany, [
    people.map(({ businessId }) => businessId),
    people.flatMap(({ customerId }) => customerId ?? []),
    ids,
  ]);
  return ({ businessId, customerId }) =>
    new Map(
      rows
        .filter((row) => row.business_id === businessId && row.user_id === customerId)
        .map(({ id, name }) => [id, name]),
    );
}

const keyOf = (businessId: string, id: string) => `${businessId}/${id}`;

/** By `<businessId>/<id>`, of whatever businesses by one statement. */
const loadName = createRequestLoader(async (ctx: Context, keys) => {
  const businessIds = new Set(keys.map((key) => key.slice(0, key.indexOf('/'))));
  const ids = new Set(keys.map((key) => key.slice(key.indexOf('/') + 1)));
  const params = [[...businessIds], ctx.viewer.accountUser?.userId ?? null, [...ids]];
  const rows = await ctx.db.sql<Membership>(select, params);
  return new Map(rows.map((row) => [keyOf(row.business_id, row.id), row.name]));
});

/** The same for the viewer, asked once for all records of an answer. */
export async function loadGroupsOfViewer(
  ctx: Context,
  businessId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(ids.map((id) => loadName(ctx, keyOf(businessId, id))));
  return new Map(
    ids.flatMap((id, index) => {
      const name = names[index];
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
}
