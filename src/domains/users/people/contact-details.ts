/** Contact details of users, for orders, mails and payment pages. */
import type { QueryHandle } from '../../../db/index.ts';

export interface UserContactDetails {
  id: string;
  name: string;
  /** Absent for guests. */
  email?: string | undefined;
  phoneNumbers: string[];
  isGuest: boolean;
  isConfirmed: boolean;
}

/** Contact details of the existing users among `ids`, by id. */
export async function loadUserContactDetails(
  queries: QueryHandle,
  ids: readonly string[],
): Promise<Map<string, UserContactDetails>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.sql<{
    id: string;
    name: string;
    email: string | null;
    phone_numbers: string[] | null;
    is_guest: boolean;
    is_confirmed: boolean;
  }>('select id, name, email, phone_numbers, is_guest, is_confirmed from users where id = any($1::uuid[])', [
    ids,
  ]);
  return new Map(
    rows.map(({ id, name, email, phone_numbers, is_guest, is_confirmed }) => [
      id,
      {
        id,
        name,
        email: email ?? undefined,
        phoneNumbers: phone_numbers ?? [],
        isGuest: is_guest,
        isConfirmed: is_confirmed,
      },
    ]),
  );
}
