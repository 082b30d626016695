/** Several failures in one list: the caller is told, and nothing of it is left to end the process. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { emptyOrder } from '../support/orders.ts';

let t: TestApp;
let shop: Shop;
const unheard: unknown[] = [];
const hear = (error: unknown) => void unheard.push(error);

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await t.shop();
  // Whoever has no role has no business whose records would have to be waited for.
  await emptyOrder(t, shop, await t.person({}));
  await t.hire(shop, await t.person({}), 'EDITOR');
  process.on('unhandledRejection', hear);
});
afterAll(() => {
  process.off('unhandledRejection', hear);
});

it('is answered with the first of them', async () => {
  const { status, errors } = await t.graphql(
    `query ($id: ID!) { users(businessId: $id, first: 10) { nodes {
      memberships { business { products(first: 1) { nodes { id } } } } securityEvents(first: 1) { nodes { id } } } } }`,
    { id: shop.businessId },
    { as: shop.admin },
  );
  expect(status).toBe(200);
  expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
  // What nobody waits for is told after the microtasks are done.
  await new Promise(setImmediate);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unheard).toEqual([]);
});
