/** Several errors in one list: the client gets an error, and no unhandled rejection remains. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';

let t: TestApp;
let shop: Shop;
const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => void unhandled.push(error);

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await t.shop();
  // A user without a role has no businesses, so its item fails without waiting for the database.
  await createEmptyOrder(t, shop, await t.person({}));
  await t.addMember(shop, await t.person({}), 'EDITOR');
  process.on('unhandledRejection', onUnhandled);
});
afterAll(() => {
  process.off('unhandledRejection', onUnhandled);
});

it('returns the first error of a list and leaves no unhandled rejection', async () => {
  const { status, errors } = await t.graphql(
    `query ($id: ID!) { users(businessId: $id, first: 10) { nodes {
      memberships { business { products(first: 1) { nodes { id } } } } securityEvents(first: 1) { nodes { id } } } } }`,
    { id: shop.businessId },
    { as: shop.admin },
  );
  expect(status).toBe(200);
  expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
  // Unhandled rejections are reported after the microtask queue is empty.
  await new Promise(setImmediate);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
});
