/** Contact details of users, for orders, mails and payment pages. */
import { accountsOf, type QueryHandle } from '../../../db/index.ts';
import { buildVoluntaryBusinessContactConditionSql } from '../../shared/business-contact-registry.ts';

export interface UserContactDetails {
  id: string;
  name: string;
  /** Absent for guests. */
  email?: string | undefined;
  phoneNumbers: string[];
  isGuest: boolean;
  isConfirmed: boolean;
}

interface ContactRow {
  id: string;
  name: string;
  email: string | null;
  phone_numbers: string[] | null;
  is_guest: boolean;
  is_confirmed: boolean;
}

const columns = 'u.id, u.name, u.email, u.phone_numbers, u.is_guest, u.is_confirmed';

const toContactDetails = (row: ContactRow): UserContactDetails => ({
  id: row.id,
  name: row.name,
  email: row.email ?? undefined,
  phoneNumbers: row.phone_numbers ?? [],
  isGuest: row.is_guest,
  isConfirmed: row.is_confirmed,
});

/** Contact details of the existing users among `ids`, by id. */
export async function loadUserContactDetails(
  queries: QueryHandle,
  ids: readonly string[],
): Promise<Map<string, UserContactDetails>> {
  if (ids.length === 0) return new Map();
  const rows = await accountsOf(queries).sql<ContactRow>(
    `select ${columns} from users u where u.id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, toContactDetails(row)]));
}

/** SQL: email address of the user with this id; null for guests, and for null. */
export const buildUserEmailExpressionSql = (id: string): string =>
  `(select u.email from users u where u.id = ${id}::uuid)`;

/**
 * Contact details by `<businessId>/<userId>`. Only the id is returned of a user who had no part in becoming a contact of the business;
 * `viewerId` always sees their own.
 */
export async function loadContactDetailsForBusinesses(
  queries: QueryHandle,
  keys: readonly string[],
  viewerId: string | undefined,
): Promise<Map<string, UserContactDetails>> {
  const pairs = keys.map((key) => key.split('/'));
  const params = [
    pairs.map(([businessId]) => businessId),
    pairs.map(([, userId]) => userId),
    viewerId ?? null,
  ];
  if (queries.otherServers?.accounts) return loadContactDetailsFromHomeServer(queries, params);
  const rows = await queries.sql<ContactRow & { key: string; is_visible: boolean }>(
    `select k.business_id || '/' || k.user_id as key, ${columns}, ${buildIsVisibleSql('u.id')}
     from ${pairsSql} join users u on u.id = k.user_id`,
    params,
  );
  return new Map(
    rows.map(({ key, is_visible, ...row }) => [key, hideUnlessVisible(toContactDetails(row), is_visible)]),
  );
}

const pairsSql = 'unnest($1::uuid[], $2::uuid[]) k (business_id, user_id)';

const buildIsVisibleSql = (user: string) =>
  `${user} = $3::uuid or ${buildVoluntaryBusinessContactConditionSql(user, 'array[k.business_id]')} as is_visible`;

const hideUnlessVisible = (contact: UserContactDetails, isVisible: boolean): UserContactDetails =>
  isVisible ? contact : { ...contact, name: '', email: undefined, phoneNumbers: [] };

/** The server of the businesses knows which users are their contacts, the home server has their details. */
async function loadContactDetailsFromHomeServer(
  queries: QueryHandle,
  params: readonly unknown[],
): Promise<Map<string, UserContactDetails>> {
  const rows = await queries.sql<{ key: string; user_id: string; is_visible: boolean }>(
    `select k.business_id || '/' || k.user_id as key, k.user_id, ${buildIsVisibleSql('k.user_id')} from ${pairsSql}`,
    params,
  );
  const contacts = await loadUserContactDetails(queries, [...new Set(rows.map(({ user_id }) => user_id))]);
  return new Map(
    rows.flatMap(({ key, user_id, is_visible }) => {
      const contact = contacts.get(user_id);
      return contact ? [[key, hideUnlessVisible(contact, is_visible)] as const] : [];
    }),
  );
}
