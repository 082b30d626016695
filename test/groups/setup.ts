/** Short ways to customer groups, beside those to carts. */

import { pot, shop, t } from '../carts/setup.ts';
import type { Person } from '../support/app.ts';

export const groupsOf = ({ businessId }: { businessId: string }) =>
  `/v1/businesses/${businessId}/customer-groups`;

export const ask = <Body = Record<string, unknown>>(
  as: Person | undefined,
  method: string,
  path = '',
  body?: object,
  of: { businessId: string } = shop,
) => t.rest<Body>(method, `${groupsOf(of)}${path}`, { as, ...(body ? { body } : {}) });

let made = 0;

/** A new group of the shop; its id is told. */
export async function group(of = shop): Promise<string> {
  made += 1;
  const { status, body } = await ask<{ id: string }>(of.admin, 'POST', '', { name: `Group ${made}` }, of);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.id;
}

/** Somebody who has bought from the shop. */
export async function customer(name = 'Ada'): Promise<Person> {
  const person = await t.person({ name });
  const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] };
  const { status } = await t.rest('POST', `${shop.orders}/checkout`, { as: person, body });
  if (status !== 200) throw new Error('Nothing was bought.');
  return person;
}

export const join = (groupId: string, { userId }: Person, as = shop.admin) =>
  ask<{ userId: string; name?: string; since: number }>(as, 'POST', `/${groupId}/members`, { userId });

/** Somebody in the group. */
export async function member(groupId: string): Promise<Person> {
  const person = await customer();
  const { status } = await join(groupId, person);
  if (status !== 200) throw new Error('Nobody has joined.');
  return person;
}
