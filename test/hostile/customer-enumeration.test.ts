/** Naming somebody as the customer of a manual order must not be a way to look at people of other businesses. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { emptyOrder } from '../support/orders.ts';
import { addProduct, faultsOf, type SellingShop, type SoldProduct, sellingShop } from '../support/selling.ts';

let t: TestApp;
let shop: SellingShop;
let victims: SellingShop;
let sold: SoldProduct;
const people: Record<string, Person> = {};

beforeAll(async () => {
  t = await testApp();
  [shop, victims] = [await sellingShop(t), await sellingShop(t)];
  sold = await addProduct(t, shop);
  Object.assign(people, {
    nobody: { userId: newId(), token: '' },
    'no id': { userId: "' or true --", token: '' },
    stranger: await t.person({ name: 'Vera Victim' }),
    'staff of another': victims.admin,
    'customer of another': await t.person({ name: 'Vera Victim' }),
    'guest of another': await t.guest(),
    guest: await t.guest(),
    staff: await t.hire(shop, await t.person(), 'EDITOR'),
    customer: await t.person(),
  });
  await emptyOrder(t, victims, people['customer of another'] as Person);
  await emptyOrder(t, victims, people['guest of another'] as Person);
  await emptyOrder(t, shop, people.customer as Person);
});

const wanted = (who: string) => ({
  customerId: people[who]?.userId,
  market: 'US',
  lines: [{ ...sold, quantity: 1 }],
});
const creating = `mutation ($b: ID!, $input: CreateOrderInput!) {
  createOrder(businessId: $b, input: $input) { order { customer { name email phoneNumbers } } } }`;
const updating = `mutation ($b: ID!, $id: ID!, $input: UpdateOrderInput!) {
  updateOrder(businessId: $b, id: $id, input: $input) { order { customer { name email phoneNumbers } } } }`;
const refused = ['customerId CUSTOMER_NOT_FOUND'];
const refusal = {
  errors: [{ extensions: { details: [{ field: 'customerId', error: 'CUSTOMER_NOT_FOUND' }] } }],
};
const b = () => shop.businessId;
const as = () => ({ as: shop.admin });
const ordersOf = (who: string) =>
  t.db.sql('select 1 from orders where business_id = $1 and customer_id::text = $2', [
    shop.businessId,
    people[who]?.userId,
  ]);

describe.each(['nobody', 'no id', 'stranger', 'staff of another', 'customer of another', 'guest of another'])(
  '%s',
  (who) => {
    it('cannot be made a customer, in either voice, at creation or later', async () => {
      const created = await t.rest('POST', shop.orders, { ...as(), body: wanted(who) });
      expect([created.status, faultsOf(created.body)]).toEqual([422, refused]);
      expect(await t.graphql(creating, { b: b(), input: wanted(who) }, as())).toMatchObject(refusal);
      const id = await emptyOrder(t, shop, people.customer as Person);
      const { customerId } = wanted(who);
      const updated = await t.rest('PUT', `${shop.orders}/update`, { ...as(), body: { id, customerId } });
      expect([updated.status, faultsOf(updated.body)]).toEqual([422, refused]);
      expect(await t.graphql(updating, { b: b(), id, input: { customerId } }, as())).toMatchObject(refusal);
      expect(await ordersOf(who)).toEqual([]);
    });

    it('is not found by a search', async () => {
      const { body } = await t.rest<{ items: { id: string }[] }>('GET', '/v1/users/search?limit=100', as());
      expect(body.items.map(({ id }) => id)).not.toContain(people[who]?.userId);
    });
  },
);

it.each(['guest', 'staff', 'customer'])('%s can', async (who) => {
  const created = await t.rest('POST', shop.orders, { ...as(), body: wanted(who) });
  expect([created.status, created.body]).toMatchObject([200, { customerId: people[who]?.userId }]);
});
