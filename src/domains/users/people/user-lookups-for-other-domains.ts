/** User lookups for other domains: names of the contacts of a business, voluntary contacts, and users by confirmed email address. */
import type { QueryHandle } from '../../../db/index.ts';
import {
  buildBusinessContactConditionSql,
  buildVoluntaryBusinessContactConditionSql,
} from '../../shared/business-contact-registry.ts';

export interface NamedBusinessContact {
  id: string;
  name: string;
}

/** Those of `ids` who became a contact of one of the businesses by an action of their own, such as an order. */
export async function filterVoluntaryBusinessContactIds(
  queries: QueryHandle,
  ids: readonly string[],
  businessIds: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ id: string }>(
    `select u.id from users u where u.id = any($2::uuid[]) and ${buildVoluntaryBusinessContactConditionSql('u.id', '$1')}`,
    [businessIds, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Id of the user with this confirmed email address. */
export async function findUserIdByConfirmedEmail(
  queries: QueryHandle,
  email: string,
): Promise<string | undefined> {
  const [user] = await queries.sql<{ id: string }>(
    'select id from users where email = $1 and is_confirmed and not is_guest',
    [email],
  );
  return user?.id;
}

/** Those of `ids` who are contacts of the business, by id. Returns only their names; the name is empty until the user accepts an assigned role. */
export async function loadNamedBusinessContacts(
  queries: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, NamedBusinessContact>> {
  const rows = await queries.sql<NamedBusinessContact>(
    `select u.id, case when ${buildVoluntaryBusinessContactConditionSql('u.id', '$1')} then u.name else '' end as name from users u
     where u.id = any($2::uuid[]) and ${buildBusinessContactConditionSql('u.id', '$1')}`,
    [[businessId], ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
