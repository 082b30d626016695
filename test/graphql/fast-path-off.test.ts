/** With FAST_PATH=off Yoga and graphql-js answer every request, byte for byte the same as the fast path. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/handles.ts';
import { createDocumentPreparer } from '../../src/graphql/execute/document-preparer.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { getProtocolHandlersOfProcess } from '../../src/rest/document-preparer-and-rest-handler-per-process.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let reference: Awaited<ReturnType<typeof createApp>>;
let shop: Shop;
let guest: Person;
let productId: string;

beforeAll(async () => {
  t = await testApp({ FAST_PATH: 'on', RATE_LIMIT: 'off' });
  const { log } = t.app.services;
  reference = await createApp({
    config: readConfig({ ALLOWED_ORIGINS: 'http://shop.test', FAST_PATH: 'off', RATE_LIMIT: 'off' }),
    db: withoutBatching(t.db),
    log,
  });
  [shop, guest] = await Promise.all([t.shop(), t.guest()]);
  for (const name of ['Teapot', 'Cup', 'Saucer']) {
    const { body } = await t.rest<{ id: string }>('POST', `/v1/businesses/${shop.businessId}/products`, {
      as: shop.admin,
      body: { name, statuses: [{ id: '1', status: 'PUBLISHED' }], variants: [{ name: 'Small' }] },
    });
    productId = body.id;
  }
});

const requests: Record<string, () => { path: string; query?: string; variables?: object }> = {
  'a record in REST': () => ({ path: `/v1/businesses/${shop.businessId}/products/${productId}` }),
  'a page in REST': () => ({ path: `/v1/businesses/${shop.businessId}/products?limit=2` }),
  'a missing record in REST': () => ({ path: `/v1/businesses/${shop.businessId}/products/none` }),
  'an invalid limit in REST': () => ({ path: `/v1/businesses/${shop.businessId}/products?limit=0` }),
  'a record in GraphQL': () => ({
    path: '/graphql',
    query: 'query One($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id name variants { name } } }',
    variables: { b: shop.businessId, id: productId },
  }),
  'a page in GraphQL': () => ({
    path: '/graphql',
    query:
      'query Page($b: ID!) { products(businessId: $b, first: 2) { edges { cursor node { name status } } pageInfo { hasPreviousPage endCursor } totalCount } }',
    variables: { b: shop.businessId },
  }),
  'several root fields': () => ({
    path: '/graphql',
    query:
      'query Two($b: ID!, $id: ID!) { a: product(businessId: $b, id: $id) { name } b: product(businessId: $b, id: "none") { name } me { id } }',
    variables: { b: shop.businessId, id: productId },
  }),
  'an invalid variable': () => ({
    path: '/graphql',
    query: 'query One($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id } }',
    variables: { b: {}, id: 7 },
  }),
};

async function send(fetch: TestApp['app']['fetch'], name: string, as: Person) {
  const { path, query, variables } = requests[name]?.() ?? { path: '/' };
  const response = await fetch(
    new Request(`http://duet.test${path}`, {
      method: query === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${as.token}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'x-request-id': 'same',
      },
      ...(query === undefined ? {} : { body: JSON.stringify({ query, variables }) }),
    }),
  );
  const headers = Object.fromEntries([...response.headers].sort());
  return { status: response.status, headers, text: await response.text() };
}

describe.each(Object.keys(requests))('%s', (name) => {
  it.each(['guest', 'staff'])('has the same response for a %s viewer', async (viewer) => {
    const as = viewer === 'guest' ? guest : shop.admin;
    // The third request is the first that the fast path compiles.
    for (let round = 0; round < 5; round += 1)
      expect(await send(t.app.fetch, name, as)).toEqual(await send(reference.fetch, name, as));
  });
});

it('compiles no operation and renders no response', async () => {
  const { preparer } = getProtocolHandlersOfProcess(false);
  expect(preparer.compiler).toBeUndefined();
  const operation = createDocumentPreparer(schema).prepare('{ me { id version } }').operation(undefined);
  expect([1, 2, 3, 4].map(() => operation?.renderPlan())).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('sends the equal reads of two requests as two statements', async () => {
  const countReads = async (fastPath: string) => {
    const app = await testApp({ FAST_PATH: fastPath, RATE_LIMIT: 'off' });
    const [{ businessId }, as] = await Promise.all([app.shop(), app.guest()]);
    const read = () => app.rest('GET', `/v1/businesses/${businessId}/products/none`, { as });
    // Verifies and caches the token: both counted requests then send their read in the same tick.
    await read();
    app.statements.length = 0;
    await Promise.all([read(), read()]);
    return app.statements.filter((text) => text.includes('from products p')).length;
  };
  expect([await countReads('on'), await countReads('off')]).toEqual([1, 2]);
});

const withoutBatching = (db: Db): Db => ({
  ...db,
  batching: false,
  withContext: (context) => withoutBatching(db.withContext(context)),
});
