/** Lists the audit log of a business, newest first. */
import type { Context } from '../../context.ts';
import {
  createSqlConditionBuilder,
  definePageRecordSource,
  loadOwnedPage,
  type QueryHandle,
  type UntypedRow,
} from '../../db/index.ts';
import { isId, lowestIdAt } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { loadUserAndApiKeyNames } from '../users/people/user-and-api-key-names.ts';
import { type AuditLogEntry, auditLogTable, renameColumnsToApiFields } from './model.ts';
import type { ListAuditLogEntriesArgs } from './schemas.ts';

export function listAuditLogEntries(
  ctx: Context,
  filter: ListAuditLogEntriesArgs,
): Promise<Page<AuditLogEntry>> {
  const { businessId, kind, recordId, actor, userId, since, until } = filter;
  const params: unknown[] = [isId(businessId) ? businessId : null];
  const { conditions, add } = createSqlConditionBuilder('c', params);
  add(recordId, (param) => `c.record_id = ${param}`);
  // An invalid user id must match no rows rather than drop the filter.
  add(userId && (isId(userId) ? userId : null), (param) => `c.user_id = ${param}::uuid`);
  add(kind, (param) => `c.kind = ${param}`);
  add(actor, (param) => `c.actor = ${param}`);
  // Ids are UUIDv7: they ascend with time.
  add(since === undefined ? undefined : lowestIdAt(since), (param) => `c.id >= ${param}::uuid`);
  add(until === undefined ? undefined : lowestIdAt(until), (param) => `c.id < ${param}::uuid`);
  return loadOwnedPage(ctx, {
    records: auditLogRecords,
    list: `changes:${businessId}`,
    args: filter,
    owner: 'c.business_id',
    params,
    conditions: conditions.map(({ test }) => test),
    isSelective: recordId !== undefined || userId !== undefined,
  });
}

const auditLogRecords = definePageRecordSource({
  columns: auditLogTable.columns,
  table: auditLogTable.from,
  toNodes: (rows: readonly UntypedRow[], _params: readonly unknown[], db) => withNames(db, rows),
});

async function withNames(queries: QueryHandle, rows: readonly UntypedRow[]): Promise<AuditLogEntry[]> {
  const records = rows.map((row) => auditLogTable.read(row));
  const people = new Set(records.flatMap(({ userId }) => userId ?? []));
  const names = await loadUserAndApiKeyNames(queries, [...people]);
  return records.map((change) => {
    const person = change.userId === undefined ? undefined : names.get(change.userId);
    return {
      ...change,
      before: renameColumnsToApiFields(change.before),
      after: renameColumnsToApiFields(change.after),
      userName: person?.name ?? undefined,
      keyName: (change.keyId && person?.keys[change.keyId]) || undefined,
    };
  });
}
