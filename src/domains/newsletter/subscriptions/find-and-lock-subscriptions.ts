/** Finds subscriptions and locks them for writing. Every writer holds the row lock. */
import { buildDistinctValuesSql, type QueryHandle, type UntypedRow } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import { type StoredNewsletterSubscription, subscriptionTable } from '../model.ts';

const select = `select ${subscriptionTable.columns} from ${subscriptionTable.from}`;

export async function findSubscription(
  queries: QueryHandle,
  id: string,
): Promise<StoredNewsletterSubscription | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await queries.sql<UntypedRow>(`${select} where s.id = $1`, [id]);
  return row && subscriptionTable.read(row);
}

export async function lockSubscription(
  tx: QueryHandle,
  id: string,
): Promise<StoredNewsletterSubscription | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await tx.sql<UntypedRow>(`${select} where s.id = $1 for update`, [id]);
  return row && subscriptionTable.read(row);
}

export async function findSubscriptionByEmailKey(
  queries: QueryHandle,
  collectionId: string,
  key: string,
): Promise<StoredNewsletterSubscription | undefined> {
  const [row] = await queries.sql<UntypedRow>(`${select} where s.collection_id = $1 and s.key = $2`, [
    collectionId,
    key,
  ]);
  return row && subscriptionTable.read(row);
}

export async function lockSubscriptionByEmailKey(
  tx: QueryHandle,
  collectionId: string,
  key: string,
): Promise<StoredNewsletterSubscription | undefined> {
  const [row] = await tx.sql<UntypedRow>(`${select} where s.collection_id = $1 and s.key = $2 for update`, [
    collectionId,
    key,
  ]);
  return row && subscriptionTable.read(row);
}

/** True when a subscription of the email address exists, in any status. */
export async function hasSubscription(
  queries: QueryHandle,
  collectionId: string,
  email: string,
): Promise<boolean> {
  const rows = await queries.sql('select 1 from subscriptions where collection_id = $1 and key = $2', [
    collectionId,
    email.toLowerCase(),
  ]);
  return rows.length > 0;
}

/** SQL for `from`: the subscriptions `s` of the email address `key` (lower case) in all newsletters. The join over distinct collection ids uses the index (collection_id, key). */
export const buildSubscriptionsByEmailFromClause = (key: string): string =>
  `${buildDistinctValuesSql('subscriptions', 'collection_id')} c join subscriptions s on s.collection_id = c.id and s.key = ${key}`;
