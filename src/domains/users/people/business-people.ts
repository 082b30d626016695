/** People as others may know them: nothing but their name, and only where they are tied to a business. */
import type { Queries } from '../../../db/handles.ts';
import { isContactSql, isVoluntaryContactSql } from '../../shared/business-contacts.ts';

export interface Person {
  id: string;
  name: string;
}

/** Those among `ids` who are tied to one of the businesses by their own doing. */
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

/** Who has proved that the address is theirs. */
export async function findConfirmedUserId(queries: Queries, email: string): Promise<string | undefined> {
  const [user] = await queries.sql<{ id: string }>(
    'select id from users where email = $1 and is_confirmed and not is_guest',
    [email],
  );
  return user?.id;
}

/** Those among `ids` who are tied to the business, by id. */
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
