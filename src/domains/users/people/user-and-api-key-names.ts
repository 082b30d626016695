/** Current names of users and their API keys. Deleted users are missing from the result. */
import { accountsOf, type QueryHandle } from '../../../db/index.ts';

interface UserAndApiKeyNames {
  name: string;
  /** Names of API keys by key id. */
  keys: Readonly<Record<string, string>>;
}

export async function loadUserAndApiKeyNames(
  queries: QueryHandle,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, UserAndApiKeyNames>> {
  if (userIds.length === 0) return new Map();
  const rows = await accountsOf(queries).sql<UserAndApiKeyNames & { id: string }>(
    `select u.id, u.name, coalesce((select json_object_agg(t.id, t.name) from api_tokens t where t.user_id = u.id), '{}') as keys
     from users u where u.id = any($1::uuid[])`,
    [userIds],
  );
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}
