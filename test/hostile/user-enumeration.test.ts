/** Assigning a role does not reveal the user: until the user accepts or acts at the business, only the id is visible. */
import { beforeAll, expect, it } from 'vitest';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { addProduct, createSellingShop, detailErrors, type SellingShop } from '../support/shop-fixtures.ts';

const phone = '+4930123456';
const email = 'vera.victim@people.example';
const fields = 'id name email phoneNumbers verifiedPhoneNumbers addresses { city } lifecycle { lastLoginAt }';
const setRole = `mutation ($input: SetRoleInput!) { setRole(input: $input) { user { ${fields} } } }`;
const search = `query ($q: String, $b: ID) { users(businessId: $b, query: $q) { nodes { ${fields} } totalCount } }`;
const members = `query ($b: ID!) { members(businessId: $b) { nodes { user { ${fields} } } } }`;

let t: TestApp;
let shop: SellingShop;
let victim: Person;
beforeAll(async () => {
  t = await testApp();
  shop = await createSellingShop(t);
  victim = await t.person({ name: 'Vera Victim', email });
  await t.db.prisma.user.update({
    where: { id: victim.userId },
    data: {
      phoneNumbers: [phone],
      verifiedPhones: [phone],
      addresses: [{ city: 'Berlin' }],
      lastLoginAt: 1_700_000_000,
    },
  });
});

const hidden = () => ({
  id: victim.userId,
  name: '',
  email: null as string | null,
  phoneNumbers: [],
  verifiedPhoneNumbers: [],
  addresses: [],
  lifecycle: { lastLoginAt: null },
});
const visible = () => ({
  ...hidden(),
  name: 'Vera Victim',
  email,
  phoneNumbers: [phone],
  verifiedPhoneNumbers: [phone],
  addresses: [{ city: 'Berlin' }],
  lifecycle: { lastLoginAt: 1_700_000_000 },
});
const as = () => ({ as: shop.admin });
const searchUsers = async (q: string) =>
  (await t.graphql(search, { q, b: shop.businessId }, as())).data?.users as unknown;

it('hides contact data of a user who was only assigned a role', async () => {
  const input = { userId: victim.userId, roleId: shop.roles.ADMIN };
  expect((await t.graphql(setRole, { input }, as())).data).toEqual({ setRole: { user: hidden() } });
  expect(await searchUsers('')).toMatchObject({ nodes: expect.arrayContaining([hidden()]) });
  const { data } = await t.graphql(members, { b: shop.businessId }, as());
  expect(JSON.stringify(data)).not.toContain(phone);
  const rest = await t.rest<{ items: object[] }>(
    'GET',
    `/v1/users/search?businessId=${shop.businessId}`,
    as(),
  );
  expect(rest.body.items).toContainEqual(
    expect.objectContaining({ id: victim.userId, name: '', phoneNumbers: [], addresses: [] }),
  );
  const list = await t.rest('GET', `/v1/businesses/${shop.businessId}/members`, as());
  for (const text of [JSON.stringify(rest.body), JSON.stringify(list.body), JSON.stringify(data)])
    expect(text).not.toMatch(new RegExp(`4930123456|Berlin|1700000000|Vera|${email}`));
});

it('does not match hidden fields in a search', async () => {
  for (const query of [phone, 'Vera', email])
    expect(await searchUsers(query)).toEqual({ nodes: [], totalCount: 0 });
});

it('does not allow the user as customer of an order', async () => {
  const lines = [{ ...(await addProduct(t, shop)), quantity: 1 }];
  const { status, body } = await t.rest('POST', shop.orders, {
    ...as(),
    body: { customerId: victim.userId, market: 'US', lines },
  });
  expect([status, detailErrors(body)]).toEqual([422, ['customerId CUSTOMER_NOT_FOUND']]);
});

it('shows contact data once the user has acted at the business', async () => {
  const { status } = await t.rest('POST', `/v1/businesses/${shop.businessId}/products`, {
    as: victim,
    body: { name: 'Made by the new colleague' },
  });
  expect(status).toBe(200);
  for (const query of ['Vera', phone])
    expect(await searchUsers(query)).toEqual({ nodes: [visible()], totalCount: 1 });
});

it('does not count actions at other businesses', async () => {
  const otherShop = await t.shop();
  const input = { userId: victim.userId, roleId: otherShop.roles.ADMIN };
  expect((await t.graphql(setRole, { input }, { as: otherShop.admin })).data).toEqual({
    setRole: { user: hidden() },
  });
});
