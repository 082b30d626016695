/** Contact details of users, for orders, mails and payment pages. */
import type { QueryHandle } from '../../../db/index.ts';
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
  const rows = await queries.sql<ContactRow>(`select ${columns} from users u where u.id = any($1::uuid[])`, [
    ids,
  ]);
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
  const rows = await queries.sql<ContactRow & { key: string; is_visible: boolean }>(
    `select k.business_id || '/' || k.user_id as key, ${columns},
       u.id = $3::uuid or ${buildVoluntaryBusinessContactConditionSql('u.id', 'array[k.business_id]')} as is_visible
     from unnest($1::uuid[], $2::uuid[]) k (business_id, user_id) join users u on u.id = k.user_id`,
    [pairs.map(([businessId]) => businessId), pairs.map(([, userId]) => userId), viewerId ?? null],
  );
  return new Map(
    rows.map(({ key, is_visible, ...row }) => [
      key,
      is_visible
        ? toContactDetails(row)
        : { ...toContactDetails(row), name: '', email: undefined, phoneNumbers: [] },
    ]),
  );
}
