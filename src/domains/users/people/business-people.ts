/** User lookups for other domains: names of the contacts of a business, voluntary contacts, and users by confirmed email address. */
import type { Queries } from '../../../db/index.ts';
import { isContactSql, isVoluntaryContactSql } from '../../shared/business-contacts.ts';

export interface Person {
  id: string;
  name: string;
}

/** Those of `ids` who became a contact of one of the businesses by an action of their own, such as an order. */
export async function filterVoluntaryContacts(
  queries: Queries,
  ids: readonly string[],
  businessIds: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    `select u.id from users u where u.id = any($2::uuid[]) and ${isVoluntaryContactSql('u.id', '$1')}`,
    [businessIds, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Id of the user with this confirmed email address. */
export async function findConfirmedUserId(queries: Queries, email: string): Promise<string | undefined> {
  const [user] = await queries.sql<{ id: string }>(
    'select id from users where email = $1 and is_confirmed and not is_guest',
    [email],
  );
  return user?.id;
}

/** Those of `ids` who are contacts of the business, by id. Returns only their names. */
export async function loadBusinessPeople(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  const rows = await queries.sql<Person>(
    `select u.id, u.name from users u where u.id = any($2::uuid[]) and ${isContactSql('u.id', '$1')}`,
    [[businessId], ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
