/** Ids of the contacts of businesses that match a search, newest first. */
import { accountsOf, type QueryHandle } from '../../../db/index.ts';
import type { KeyRange } from '../../../lib/paging.ts';
import { buildRoleInBusinessConditionSql } from '../../businesses/staff/register-staff-contacts.ts';
import { buildVoluntaryBusinessContactConditionSql } from '../../shared/business-contact-registry.ts';

interface ContactSearch {
  businessIds: readonly string[];
  /** SQL of the user ids to search; `$1` are the businesses. */
  userIdsSql: string;
  /** Pattern of a name, email address or phone number. */
  pattern: string | undefined;
  roleIds: readonly string[] | undefined;
}

interface ContactIdSource {
  fetchIds(range: KeyRange, limit: number): Promise<string[]>;
  count(): Promise<number>;
}

export const createContactIdSource = (queries: QueryHandle, search: ContactSearch): ContactIdSource =>
  queries.otherServers?.accounts
    ? createSourceOfTwoServers(queries, search)
    : createSourceOfOneServer(queries, search);

const buildMatchSql = (pattern: string) =>
  `(u.name ilike ${pattern} or u.email ilike ${pattern} or array_to_string(u.phone_numbers, ' ') ilike ${pattern})`;

// Fields that the viewer may not see must not be searchable either: a hit would reveal them.
const buildIsSearchableSql = () => buildVoluntaryBusinessContactConditionSql('u.id', '$1');

const buildPageSql = (from: string, conditions: readonly string[], next: number, backward: boolean) =>
  `select u.id from ${from} where ${conditions.join(' and ')} and ($${next + 1}::uuid is null or u.id < $${next + 1})
     and ($${next + 2}::uuid is null or u.id > $${next + 2})
   order by u.id ${backward ? 'asc' : 'desc'} limit $${next}`;

function createSourceOfOneServer(
  queries: QueryHandle,
  { businessIds, userIdsSql, pattern, roleIds }: ContactSearch,
): ContactIdSource {
  const params: unknown[] = [businessIds];
  const conditions = [`u.id in (${userIdsSql})`];
  if (pattern !== undefined)
    conditions.push(`${buildMatchSql(`$${params.push(pattern)}`)} and ${buildIsSearchableSql()}`);
  if (roleIds) conditions.push(buildRoleInBusinessConditionSql('u.id', '$1', `$${params.push(roleIds)}`));
  return {
    async fetchIds({ after, before, backward }, limit) {
      const rows = await queries.sql<{ id: string }>(
        buildPageSql('users u', conditions, params.length + 1, backward),
        [...params, limit, after ?? null, before ?? null],
      );
      return rows.map(({ id }) => id);
    },
    async count() {
      const [row] = await queries.sql<{ count: number }>(
        `select count(*)::int as count from users u where ${conditions.join(' and ')}`,
        params,
      );
      return row?.count ?? 0;
    },
  };
}

/** Contacts that are compared with the accounts of the home server at once. */
const batchSize = 1000;

/** The server of the businesses knows their contacts, the home server which accounts exist and match. */
function createSourceOfTwoServers(
  queries: QueryHandle,
  { businessIds, userIdsSql, pattern, roleIds }: ContactSearch,
): ContactIdSource {
  const params: unknown[] = [businessIds];
  const conditions = pattern === undefined ? ['u.id is not null'] : [buildIsSearchableSql()];
  if (roleIds) conditions.push(buildRoleInBusinessConditionSql('u.id', '$1', `$${params.push(roleIds)}`));
  const matchSql = `select u.id from users u where u.id = any($1::uuid[])`;

  async function* listMatches({ after, before, backward }: KeyRange) {
    const statement = buildPageSql(`(${userIdsSql}) u (id)`, conditions, params.length + 1, backward);
    for (let [below, above] = [after ?? null, before ?? null]; ; ) {
      const rows = await queries.sql<{ id: string }>(statement, [...params, batchSize, below, above]);
      const ids = rows.map(({ id }) => id);
      const matches = await (pattern === undefined
        ? accountsOf(queries).sql<{ id: string }>(matchSql, [ids])
        : accountsOf(queries).sql<{ id: string }>(`${matchSql} and ${buildMatchSql('$2')}`, [ids, pattern]));
      const matchingIds = new Set(matches.map(({ id }) => id));
      yield* ids.filter((id) => matchingIds.has(id));
      const last = ids.at(-1);
      if (last === undefined || ids.length < batchSize) return;
      if (backward) above = last;
      else below = last;
    }
  }

  return {
    async fetchIds(range, limit) {
      const found: string[] = [];
      for await (const id of listMatches(range)) {
        found.push(id);
        if (found.length === limit) break;
      }
      return found;
    },
    async count() {
      let count = 0;
      for await (const _id of listMatches({ backward: false })) count += 1;
      return count;
    },
  };
}
