/** Lists the audit log of a business, newest first. */

import type { Context } from '../../context.ts';
import { loadOwnedPage, type Queries, type TableRow } from '../../db/index.ts';
import { isId, lowestIdAt } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { loadUserNames } from '../users/people/user-names.ts';
import { type Change, changeTable, toApiFields } from './model.ts';
import type { ListChangesArgs } from './schemas.ts';

export function listChanges(ctx: Context, filter: ListChangesArgs): Promise<Page<Change>> {
  const { businessId, kind, recordId, actor, userId, since, until } = filter;
  const params: unknown[] = [isId(businessId) ? businessId : null];
  const conditions: string[] = [];
  const add = (value: unknown, condition: (param: string) => string) => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  add(recordId, (param) => `c.record_id = ${param}`);
  // An invalid user id must match no rows rather than drop the filter.
  add(userId && (isId(userId) ? userId : null), (param) => `c.user_id = ${param}::uuid`);
  add(kind, (param) => `c.kind = ${param}`);
  add(actor, (param) => `c.actor = ${param}`);
  // Ids are UUIDv7: they ascend with time.
  add(since === undefined ? undefined : lowestIdAt(since), (param) => `c.id >= ${param}::uuid`);
  add(until === undefined ? undefined : lowestIdAt(until), (param) => `c.id < ${param}::uuid`);
  return loadOwnedPage<TableRow, Change>(ctx, {
    list: `changes:${businessId}`,
    args: filter,
    columns: changeTable.columns,
    table: changeTable.from,
    owner: 'c.business_id',
    params,
    conditions,
    isSelective: recordId !== undefined || userId !== undefined,
    toNodes: (rows) => withNames(ctx.db, rows),
  });
}

async function withNames(queries: Queries, rows: readonly TableRow[]): Promise<Change[]> {
  const records = rows.map((row) => changeTable.read(row));
  const people = new Set(records.flatMap(({ userId }) => userId ?? []));
  const names = await loadUserNames(queries, [...people]);
  return records.map((change) => {
    const person = change.userId === undefined ? undefined : names.get(change.userId);
    return {
      ...change,
      before: toApiFields(change.before),
      after: toApiFields(change.after),
      userName: person?.name ?? undefined,
      keyName: (change.keyId && person?.keys[change.keyId]) || undefined,
    };
  });
}
