/** Reads API usage per client, summed over days, most calls first. */
import type { QueryHandle } from '../../db/index.ts';
import { now } from '../../lib/time.ts';
import type { UsageKind } from '../../ports/usage.ts';
import { loadUserAndApiKeyNames } from '../users/people/user-and-api-key-names.ts';

export interface UsageSummary {
  kind: UsageKind;
  name: string;
  /** Name that the client sent, or the id of its API key. */
  client: string;
  /** Owner of the API key; undefined for a client name. */
  userId?: string | undefined;
  userName?: string | undefined;
  keyName?: string | undefined;
  calls: number;
  lastAt: number;
}

interface ApiUsageQuery {
  days: number;
  kinds: readonly UsageKind[];
  /** Only calls that address this business, by API keys of these users. */
  within?: { businessId: string; userIds: readonly string[] } | undefined;
  limit: number;
}

export async function readApiUsage(
  queries: QueryHandle,
  { days, kinds, within, limit }: ApiUsageQuery,
): Promise<UsageSummary[]> {
  const since = now() - days * 86_400;
  const rows = await queries.sql<UsageSummary & { userId: string }>(
    `select kind, name, client, user_id as "userId", sum(calls)::bigint as calls, max(last_at) as "lastAt"
     from usage where day > $1 and kind = any($2::text[])
       and ($3::text is null or (business_id = $3 and user_id = any($4::text[])))
     group by kind, name, client, user_id order by sum(calls) desc, kind, name, client, user_id limit $5`,
    [since, kinds, within?.businessId ?? null, within?.userIds ?? [], limit],
  );
  const people = await loadUserAndApiKeyNames(queries, [
    ...new Set(rows.flatMap(({ userId }) => userId || [])),
  ]);
  return rows.map(({ userId, ...summary }) => {
    if (userId === '') return summary;
    const person = people.get(userId);
    return { ...summary, userId, userName: person?.name, keyName: person?.keys[summary.client] };
  });
}

/** Display name of a client in lists for operators. */
export const formatUsageClientLabel = ({ client, userId, keyName, userName }: UsageSummary): string =>
  userId === undefined
    ? // Quoted, so that a client name such as "key 1" is not mistaken for an API key.
      client.startsWith('key ')
      ? JSON.stringify(client)
      : client
    : `key ${client}${keyName === undefined || keyName === client ? '' : ` "${keyName}"`} of ${userName ?? userId}`;
