/** Request helpers for customer group tests, on top of the cart test setup. */

import { pot, shop, t } from '../carts/setup.ts';
import type { Person } from '../support/app.ts';
import type { SoldProduct } from '../support/shop-fixtures.ts';

export const groupsPath = ({ businessId }: { businessId: string }) =>
  `/v1/businesses/${businessId}/customer-groups`;

export const requestGroups = <Body = Record<string, unknown>>(
  as: Person | undefined,
  method: string,
  path = '',
  body?: object,
  of: { businessId: string } = shop,
) => t.rest<Body>(method, `${groupsPath(of)}${path}`, { as, ...(body ? { body } : {}) });

let groupCount = 0;

/** Creates a group of the shop and returns its id. */
export async function createGroup(of = shop): Promise<string> {
  groupCount += 1;
  const { status, body } = await requestGroups<{ id: string }>(
    of.admin,
    'POST',
    '',
    { name: `Group ${groupCount}` },
    of,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.id;
}

/** Creates a user who has ordered from the shop. */
export async function createCustomer(name = 'Ada'): Promise<Person> {
  const person = await t.person({ name });
  const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] };
  const { status } = await t.rest('POST', `${shop.orders}/checkout`, { as: person, body });
  if (status !== 200) throw new Error('The checkout failed.');
  return person;
}

export const addMember = (groupId: string, { userId }: Person, as = shop.admin) =>
  requestGroups<{ userId: string; name?: string; since: number }>(as, 'POST', `/${groupId}/members`, {
    userId,
  });

/** Creates a customer who is a member of the group. */
export async function createMember(groupId: string): Promise<Person> {
  const person = await createCustomer();
  const { status } = await addMember(groupId, person);
  if (status !== 200) throw new Error('Adding the member failed.');
  return person;
}

export const productPath = ({ productId }: SoldProduct) =>
  `/v1/businesses/${shop.businessId}/products/${productId}`;

/** Sets the prices of a variant in the market US: `price` 1000, the group prices, and `more` fields. */
export const setGroupPrices = (product: SoldProduct, groupPrices: object[], more: object = {}) => {
  const markets = [{ marketId: 'US', currency: 'USD', price: 1000, ...more, groupPrices }];
  const variants = [{ id: product.variantId, pricing: { markets } }];
  return t.rest('PUT', productPath(product), { as: shop.admin, body: { variants } });
};
