/** Every route below a business that does not exist is 404 for all viewers, in both protocols. */
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
const viewers: Record<string, Person | undefined> = { anonymous: undefined };

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

const businessRoutes = routes.filter(({ path }) => path.startsWith('/v1/businesses/:'));
/** Some routes respond with a page unless JSON is requested. */
const headers = { accept: 'application/json' };
/** Body with the required fields of all routes; unknown fields are ignored. */
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

describe.each(businessRoutes.map(({ method, path }) => [method, path] as const))('%s %s', (method, path) => {
  const send = (as: Person | undefined, businessId: string) => {
    const [, , , , ...rest] = path.split('/');
    const parts = rest.map((part) => part.replace(/^:.*/, newId()));
    return t.rest(method, ['/v1/businesses', businessId, ...parts].join('/'), {
      as,
      headers,
      ...(method === 'POST' || method === 'PUT' ? { body } : {}),
    });
  };

  it('is 404 for guests and for staff of other businesses', async () => {
    for (const [viewerName, businessId] of [
      ['guest', newId()],
      ['admin', newId()],
      ['guest', 'no-such-business'],
    ] as const) {
      const response = await send(viewers[viewerName], businessId);
      expect([response.status, response.body]).toMatchObject([404, { error: 'NOT_FOUND' }]);
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
  for (const viewerName of ['guest', 'person', 'admin', 'key']) {
    const query = `{ ${field}(businessId: "${newId()}") { nodes { __typename } totalCount } }`;
    const { errors } = await t.graphql(query, {}, { as: viewers[viewerName] });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  }
});

it.each(businessRoutes.map(({ method, path }) => `${method} ${path}`))(
  '%s: invalid path parameters are 404, never 500',
  async (route) => {
    const [method = '', path = ''] = route.split(' ');
    for (const invalidName of ['%00', '%0a', 'a%00b', 'x'.repeat(700), '%ff', '%']) {
      const { status } = await t.rest(method, path.replace(/:\w+/g, invalidName), {
        as: viewers.admin,
        headers,
        ...(method === 'POST' || method === 'PUT' ? { body } : {}),
      });
      expect(status, invalidName).toBe(404);
    }
  },
);

describe('unsubscribe, which requires no account', () => {
  const token = 'x'.repeat(43);
  const at = (businessId: string) => `/v1/businesses/${businessId}/collections/unsubscribe?token=${token}`;
  const call = (path: string, init: RequestInit) => t.app.fetch(new Request(`http://duet.test${path}`, init));
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it.each([newId(), 'no-such-business', '%00', '%', 'x'.repeat(700)])(
    'is 404 under %s',
    async (businessId) => {
      for (const [method, requestHeaders, type] of [
        ['GET', { accept: 'application/json' }, 'application/json'],
        ['GET', {}, 'application/json'],
        ['GET', { accept: 'text/html' }, 'text/html'],
        ['HEAD', { accept: 'text/html' }, 'text/html'],
        ['POST', { accept: 'text/html', ...form }, 'text/html'],
        ['POST', { 'content-type': 'application/json' }, 'application/json'],
      ] as const) {
        const body = method === 'POST' ? (type === 'text/html' ? `token=${token}` : '{}') : null;
        const { status, headers } = await call(at(businessId), { method, headers: requestHeaders, body });
        expect([status, headers.get('content-type')?.split(';')[0]], method).toEqual([404, type]);
      }
    },
  );

  it.each(['unsubscribe', 'cancelSubscription', 'resumeSubscription', 'changePlan'])(
    'GraphQL: %s',
    async (field) => {
      const args: Record<string, string> = {
        unsubscribe: 'token: "x") { success',
        cancelSubscription: `id: "${newId()}", token: "x") { subscription { id }`,
        resumeSubscription: `id: "${newId()}", token: "x") { subscription { id }`,
        changePlan: `id: "${newId()}", input: { planId: "x", token: "x" }) { checkoutUrl`,
      };
      const { errors } = await t.graphql(`mutation { ${field}(businessId: "${newId()}", ${args[field]} } }`);
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    },
  );
});
