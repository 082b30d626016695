/** Several servers: placeholder rows of accounts on the server of a business, for its foreign keys. */
import type { QueryHandle } from '../db/handles.ts';

/** `$1`: id of the account. `$2`: time. No statement reads these rows. */
export const insertAccountPlaceholderSql =
  'insert into users (id, phone_numbers, created_at, updated_at) values ($1, array[]::text[], $2, $2) on conflict do nothing';

/**
 * Memberships and customer groups refer to accounts by a foreign key. Returns false if the account does not exist. Does nothing on the
 * server that has the accounts, where the foreign key checks this.
 */
export async function insertAccountPlaceholderRow(
  tx: QueryHandle,
  userId: string,
  time: number | bigint,
): Promise<boolean> {
  const accounts = tx.otherServers?.accounts;
  if (!accounts) return true;
  if ((await accounts.sql('select 1 from users where id = $1', [userId])).length === 0) return false;
  await tx.write(insertAccountPlaceholderSql, [userId, Number(time)]);
  return true;
}

export const deleteAccountPlaceholderSql = 'delete from users where id = $1';

/** Removes the memberships and groups of a deleted account too. Does nothing on the server that has the accounts. */
export async function deleteAccountPlaceholderRow(queries: QueryHandle, userId: string): Promise<void> {
  if (queries.otherServers?.accounts) await queries.write(deleteAccountPlaceholderSql, [userId]);
}
