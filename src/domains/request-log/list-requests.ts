/** Lists the logged requests of a business, newest first. */
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
import { findErrorAdvice } from './error-advice.ts';
import { type LoggedRequest, requestLogTable } from './model.ts';
import type { ListRequestsArgs } from './schemas.ts';

export function listLoggedRequests(ctx: Context, filter: ListRequestsArgs): Promise<Page<LoggedRequest>> {
  const { businessId, requestId, protocol, failed, code, operation, client, since, until } = filter;
  const params: unknown[] = [isId(businessId) ? businessId : null];
  const { conditions, add } = createSqlConditionBuilder('l', params);
  add(requestId, (param) => `l.request_id = ${param}`);
  add(protocol, (param) => `l.protocol = ${param}`);
  add(failed, (param) => `(l.code is not null) = ${param}::boolean`);
  add(code, (param) => `l.code = ${param}`);
  add(operation, (param) => `l.operation = ${param}`);
  add(client, (param) => `${param} in (l.key_id, l.client_name)`);
  // Ids are UUIDv7: they ascend with time.
  add(since === undefined ? undefined : lowestIdAt(since), (param) => `l.id >= ${param}::uuid`);
  add(until === undefined ? undefined : lowestIdAt(until), (param) => `l.id < ${param}::uuid`);
  return loadOwnedPage(ctx, {
    records: requestRecords,
    list: `requests:${businessId}`,
    args: filter,
    owner: 'l.business_id',
    params,
    conditions: conditions.map(({ test }) => test),
    isSelective: conditions.length > 0,
  });
}

const requestRecords = definePageRecordSource({
  columns: requestLogTable.columns,
  table: requestLogTable.from,
  toNodes: (rows: readonly UntypedRow[], _params: readonly unknown[], db) => withNames(db, rows),
});

/** Accounts of other callers than members are not shown: a business learns of customers only by their orders. */
async function withNames(queries: QueryHandle, rows: readonly UntypedRow[]): Promise<LoggedRequest[]> {
  const requests = rows.map((row) => requestLogTable.read(row));
  const memberIds = new Set(requests.flatMap(({ isMember, userId }) => (isMember && userId) || []));
  const people = await loadUserAndApiKeyNames(queries, [...memberIds]);
  return requests.map(({ isMember, userId, keyId, ...request }) => {
    const advice = findErrorAdvice(request.code);
    if (!isMember || userId === undefined) return { ...request, advice };
    const person = people.get(userId);
    const keyName = keyId === undefined ? undefined : person?.keys[keyId];
    return { ...request, userId, keyId, userName: person?.name, keyName, advice };
  });
}
