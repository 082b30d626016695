/** Under a business that does not exist there is nothing: 404 for everybody, whatever the row, in both voices. */
import { beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../src/generated/domains/rows.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
const viewers: Record<string, Person | undefined> = { nobody: undefined };

beforeAll(async () => {
  t = await testApp();
  const shop = await t.shop();
  Object.assign(viewers, {
    guest: await t.guest(),
    person: await t.person(),
    admin: shop.admin,
    key: await t.withApiKey(shop.admin),
  });
});

// What a link to unsubscribe is for is in its token alone.
const under = rows.filter(
  ({ path }) => path.startsWith('/v1/businesses/:') && !path.endsWith('/collections/unsubscribe'),
);
/** Enough of a body for every row that needs one: what is too much is ignored. */
const body = {
  id: newId(),
  name: 'Nothing',
  code: 'US',
  currency: 'USD',
  market: 'US',
  status: 'PENDING',
  email: 'nobody@people.example',
  url: 'https://hooks.example/',
  events: ['order.created'],
  collectionId: newId(),
  variantId: newId(),
  change: 1,
  planId: 'none',
  lines: [],
  items: [{ productId: newId(), variantId: newId(), quantity: 1 }],
  paymentMethod: 'CREDIT_CARD',
  returnUrl: 'http://shop.test/',
  cancelUrl: 'http://shop.test/',
};

describe.each(under.map(({ method, path }) => [method, path] as const))('%s %s', (method, path) => {
  const send = (as: Person | undefined, businessId: string) => {
    const [, , , , ...rest] = path.split('/');
    const parts = rest.map((part) => part.replace(/^:.*/, newId()));
    return t.rest(method, ['/v1/businesses', businessId, ...parts].join('/'), {
      as,
      ...(method === 'POST' || method === 'PUT' ? { body } : {}),
    });
  };

  it('is 404 to guests and to staff of others', async () => {
    for (const [who, businessId] of [
      ['guest', newId()],
      ['admin', newId()],
      ['guest', 'no-such-business'],
    ] as const) {
      const answer = await send(viewers[who], businessId);
      expect([answer.status, answer.body]).toMatchObject([404, { error: 'NOT_FOUND' }]);
    }
  });
});

it.each([
  'products',
  'entries',
  'collections',
  'orders',
  'markets',
  'shippingMethods',
  'promoCodes',
  'roles',
])('GraphQL: %s', async (field) => {
  for (const who of ['guest', 'person', 'admin', 'key']) {
    const query = `{ ${field}(businessId: "${newId()}") { nodes { __typename } totalCount } }`;
    const { errors } = await t.graphql(query, {}, { as: viewers[who] });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  }
});

it.each(under.map(({ method, path }) => `${method} ${path}`))(
  '%s: odd names are 404, never 500',
  async (row) => {
    const [method = '', path = ''] = row.split(' ');
    for (const odd of ['%00', '%0a', 'a%00b', 'x'.repeat(700), '%ff', '%']) {
      const { status } = await t.rest(method, path.replace(/:\w+/g, odd), {
        as: viewers.admin,
        ...(method === 'POST' || method === 'PUT' ? { body } : {}),
      });
      expect(status, odd).toBe(404);
    }
  },
);
