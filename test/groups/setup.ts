/** Short ways to customer groups, beside those to carts. */

import { pot, shop, t } from '../carts/setup.ts';
import type { Person } from '../support/app.ts';

export const groupsPath = ({ businessId }: { businessId: string }) =>
  `/v1/businesses/${businessId}/customer-groups`;

export const requestGroups = <Body = Record<string, unknown>>(
  as: Person | undefined,
  method: string,
  path = '',
  body?: object,
  of: { businessId: string } = shop,
) => t.rest<Body>(method, `${groupsPath(of)}${path}`, { as, ...(body ? { body } : {}) });

let made = 0;

/** A new group of the shop; its id is told. */
export async function createGroup(of = shop): Promise<string> {
  made += 1;
  const { status, body } = await requestGroups<{ id: string }>(
    of.admin,
    'POST',
    '',
    { name: `Group ${made}` },
    of,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.id;
}

/** Somebody who has bought from the shop. */
export async function createCustomer(name = 'Ada'): Promise<Person> {
  const person = await t.person({ name });
  const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] };
  const { status } = await t.rest('POST', `${shop.orders}/checkout`, { as: person, body });
  if (status !== 200) throw new Error('Nothing was bought.');
  return person;
}

export const addMember = (groupId: string, { userId }: Person, as = shop.admin) =>
  requestGroups<{ userId: string; name?: string; since: number }>(as, 'POST', `/${groupId}/members`, {
    userId,
  });

/** Somebody in the group. */
export async function createMember(groupId: string): Promise<Person> {
  const person = await createCustomer();
  const { status } = await addMember(groupId, person);
  if (status !== 200) throw new Error('Nobody has joined.');
  return person;
}
