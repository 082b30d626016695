/** User lookups for other domains: names of the contacts of a business, voluntary contacts, and users by confirmed email address. */
import { accountsOf, type QueryHandle } from '../../../db/index.ts';
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
  if (queries.otherServers?.accounts) {
    const contacts = await loadContactFlags(queries, businessIds, ids);
    return new Set(contacts.flatMap(({ id, is_voluntary }) => (is_voluntary ? [id] : [])));
  }
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
  const [user] = await accountsOf(queries).sql<{ id: string }>(
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
  if (queries.otherServers?.accounts) {
    const contacts = await loadContactFlags(queries, [businessId], ids);
    return new Map(
      contacts.flatMap(({ id, is_contact, is_voluntary, name }) =>
        is_contact ? [[id, { id, name: is_voluntary ? name : '' }] as const] : [],
      ),
    );
  }
  const rows = await queries.sql<NamedBusinessContact>(
    `select u.id, case when ${buildVoluntaryBusinessContactConditionSql('u.id', '$1')} then u.name else '' end as name from users u
     where u.id = any($2::uuid[]) and ${buildBusinessContactConditionSql('u.id', '$1')}`,
    [[businessId], ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Several servers: existing users among `ids`, and whether they are contacts of one of the businesses, which are on this server. */
async function loadContactFlags(
  queries: QueryHandle,
  businessIds: readonly string[],
  ids: readonly string[],
): Promise<(NamedBusinessContact & { is_contact: boolean; is_voluntary: boolean })[]> {
  const [users, flags] = await Promise.all([
    accountsOf(queries).sql<NamedBusinessContact>('select id, name from users where id = any($1::uuid[])', [
      ids,
    ]),
    queries.sql<{ id: string; is_contact: boolean; is_voluntary: boolean }>(
      `select u.id, ${buildBusinessContactConditionSql('u.id', '$1')} as is_contact,
         ${buildVoluntaryBusinessContactConditionSql('u.id', '$1')} as is_voluntary from unnest($2::uuid[]) u (id)`,
      [businessIds, ids],
    ),
  ]);
  const nameById = new Map(users.map(({ id, name }) => [id, name]));
  return flags.flatMap((flag) => {
    const name = nameById.get(flag.id);
    return name === undefined ? [] : [{ ...flag, name }];
  });
}
