/** The customer of a manual order cannot be used to look up users of other businesses. */
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import {
  addProduct,
  createSellingShop,
  detailErrors,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let victims: SellingShop;
let sold: SoldProduct;
const people: Record<string, Person> = {};

beforeAll(async () => {
  t = await testApp();
  [shop, victims] = [await createSellingShop(t), await createSellingShop(t)];
  sold = await addProduct(t, shop);
  Object.assign(people, {
    'unknown user': { userId: newId(), token: '' },
    'invalid id': { userId: "' or true --", token: '' },
    stranger: await t.person({ name: 'Vera Victim' }),
    'staff of another': victims.admin,
    'customer of another': await t.person({ name: 'Vera Victim' }),
    'guest of another': await t.guest(),
    guest: await t.guest(),
    staff: await t.addMember(shop, await t.person(), 'EDITOR'),
    customer: await t.person(),
  });
  await createEmptyOrder(t, victims, people['customer of another'] as Person);
  await createEmptyOrder(t, victims, people['guest of another'] as Person);
  await createEmptyOrder(t, shop, people.customer as Person);
});

const orderInput = (personName: string) => ({
  customerId: people[personName]?.userId,
  market: 'US',
  lines: [{ ...sold, quantity: 1 }],
});
const createMutation = `mutation ($b: ID!, $input: CreateOrderInput!) {
  createOrder(businessId: $b, input: $input) { order { customer { name email phoneNumbers } } } }`;
const updateMutation = `mutation ($b: ID!, $id: ID!, $input: UpdateOrderInput!) {
  updateOrder(businessId: $b, id: $id, input: $input) { order { customer { name email phoneNumbers } } } }`;
const rejectionDetails = ['customerId CUSTOMER_NOT_FOUND'];
const graphqlRejection = {
  errors: [{ extensions: { details: [{ field: 'customerId', error: 'CUSTOMER_NOT_FOUND' }] } }],
};
const b = () => shop.businessId;
const as = () => ({ as: shop.admin });
const ordersOf = (personName: string) =>
  t.db.sql('select 1 from orders where business_id = $1 and customer_id::text = $2', [
    shop.businessId,
    people[personName]?.userId,
  ]);

describe.each([
  'unknown user',
  'invalid id',
  'stranger',
  'staff of another',
  'customer of another',
  'guest of another',
])('%s', (personName) => {
  it('cannot be set as customer, in either protocol, on create or update', async () => {
    const created = await t.rest('POST', shop.orders, { ...as(), body: orderInput(personName) });
    expect([created.status, detailErrors(created.body)]).toEqual([422, rejectionDetails]);
    expect(await t.graphql(createMutation, { b: b(), input: orderInput(personName) }, as())).toMatchObject(
      graphqlRejection,
    );
    const id = await createEmptyOrder(t, shop, people.customer as Person);
    const { customerId } = orderInput(personName);
    const updated = await t.rest('PUT', `${shop.orders}/update`, { ...as(), body: { id, customerId } });
    expect([updated.status, detailErrors(updated.body)]).toEqual([422, rejectionDetails]);
    expect(await t.graphql(updateMutation, { b: b(), id, input: { customerId } }, as())).toMatchObject(
      graphqlRejection,
    );
    expect(await ordersOf(personName)).toEqual([]);
  });

  it('is not in the search results', async () => {
    const { body } = await t.rest<{ items: { id: string }[] }>('GET', '/v1/users/search?limit=100', as());
    expect(body.items.map(({ id }) => id)).not.toContain(people[personName]?.userId);
  });
});

it('shows staff nothing of a guest whom they made a customer, until the guest orders themself', async () => {
  const phoneNumber = '+4915155555555';
  const { body: login } = await t.rest<{ accessToken: string }>('POST', '/v1/users/login', {
    body: { provider: 'GUEST', phoneNumber },
  });
  const [{ id: userId = '' } = {}] = await t.db.sql<{ id: string }>(
    'select id from users where $1 = any(phone_numbers)',
    [phoneNumber],
  );
  const { data } = await t.graphql(
    createMutation,
    { b: b(), input: { ...orderInput('guest'), customerId: userId } },
    as(),
  );
  expect(data).toEqual({ createOrder: { order: { customer: { name: '', email: null, phoneNumbers: [] } } } });
  const { body } = await t.rest('GET', '/v1/users/search?limit=100', as());
  expect(JSON.stringify(body)).not.toContain(phoneNumber);
  const own = await t.graphql(
    'query ($b: ID!) { orders(businessId: $b) { nodes { customer { phoneNumbers } } } }',
    { b: b() },
    { as: { userId, token: login.accessToken } },
  );
  expect(JSON.stringify(own.data)).toContain(phoneNumber);
});

it('shows the phone of such a guest in no list, record, member, export or webhook of the business', async () => {
  const phoneNumber = '+4915166666666';
  await t.rest('POST', '/v1/users/login', { body: { provider: 'GUEST', phoneNumber } });
  const [{ id: userId = '' } = {}] = await t.db.sql<{ id: string }>(
    'select id from users where $1 = any(phone_numbers)',
    [phoneNumber],
  );
  const path = `/v1/businesses/${b()}`;
  const post = (resource: string, body: object) =>
    t.rest<{ id: string }>('POST', `${path}/${resource}`, { ...as(), body });
  await post('webhooks', { url: 'https://hooks.example/in', events: ['*'] });
  const order = await post('orders', { ...orderInput('guest'), customerId: userId });
  expect(order.status).toBe(200);
  await post('customer-groups', { id: 'friends', name: 'Friends' });
  await post('customer-groups/friends/members', { userId });
  const started = await post('bulk-operations/exports', { resource: 'ORDERS', format: 'JSONL' });
  await t.app.drainJobs();
  const { body: done } = await t.rest<{ resultUrl: string }>(
    'GET',
    `${path}/bulk-operations/${started.body.id}`,
    as(),
  );
  const file = await (await t.app.fetch(new Request(done.resultUrl))).text();
  expect(file).toContain(order.body.id);
  expect(file).not.toContain('15166666666');
  const values: Record<string, string> = {
    businessId: b(),
    groupId: 'friends',
    orderId: order.body.id,
    userId,
  };
  const seen: string[] = [];
  for (const { method, path: route } of routes) {
    if (method !== 'GET' || !route.startsWith('/v1/businesses/:businessId')) continue;
    const url = route.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? order.body.id);
    const response = await t.app.fetch(
      new Request(`http://localhost${url}`, { headers: { authorization: `Bearer ${shop.admin.token}` } }),
    );
    const text = await response.text();
    if (response.status === 200) seen.push(route);
    expect({ route, text }).not.toMatchObject({ text: expect.stringContaining('15166666666') });
  }
  expect(seen.length).toBeGreaterThan(15);
  const deliveries = await t.db.sql<{ text: string }>(
    'select to_jsonb(d)::text as text from webhook_deliveries d',
    [],
  );
  expect(deliveries.length).toBeGreaterThan(0);
  expect(JSON.stringify(deliveries)).not.toContain('15166666666');
});

it.each(['guest', 'staff', 'customer'])('%s can be set as customer', async (personName) => {
  const created = await t.rest('POST', shop.orders, { ...as(), body: orderInput(personName) });
  expect([created.status, created.body]).toMatchObject([200, { customerId: people[personName]?.userId }]);
});
