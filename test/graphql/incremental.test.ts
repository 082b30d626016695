/** @defer and @stream: who gets parts, and the limits, scopes, masking, deadline and budgets of ordinary execution. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { maxIncrementalResults } from '../../src/graphql/execute/incremental/result-queue.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { lockTables } from '../support/locked-tables.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import {
  type IncrementalResult,
  mergeResults,
  postIncrementally,
  readResults,
} from './incremental/read-results.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
let productId: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', OPERATION_TIMEOUT: '2s' });
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  ({ productId } = await addProduct(t, shop));
  for (let n = 0; n < 4; n += 1) await addProduct(t, shop);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const multipart = 'multipart/mixed;deferSpec=20220824, application/json';

const ask = async (
  query: string,
  { as, accept = multipart }: { as?: Person | 'nobody'; accept?: string } = {},
) => {
  const viewer = as === 'nobody' ? undefined : (as ?? shop.admin);
  const response = await postIncrementally(t, query, { b: shop.businessId, p: productId }, viewer, accept);
  return { type: response.headers.get('content-type'), response, results: await readResults(response) };
};

const codesOf = (results: readonly IncrementalResult[]) =>
  mergeResults(results).errors.map(({ extensions }) => extensions.code);

const deferredOrders = `query ($b: ID!, $p: ID!) {
  product(businessId: $b, id: $p) { id }
  ... @defer(label: "orders") { orders(businessId: $b) { totalCount } }
}`;

describe('delivery', () => {
  it('sends the first result before a slow part', async () => {
    const locked = await lockTables(t.db, 'orders');
    const response = await postIncrementally(
      t,
      deferredOrders,
      { b: shop.businessId, p: productId },
      shop.admin,
      multipart,
    );
    expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="-"');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    const reader = response.body?.getReader();
    let text = '';
    while (!text.includes('hasNext')) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toContain(`{"data":{"product":{"id":"${productId}"}},"hasNext":true}`);
    await locked.release();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? {};
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    expect(text).toContain(
      '{"incremental":[{"data":{"orders":{"totalCount":0}},"path":[],"label":"orders"}],"hasNext":false}',
    );
  });

  it('announces parts to a client of the current format, also those within parts', async () => {
    const accept = 'multipart/mixed;incrementalSpec=v0.2, application/json';
    const { type, results } = await ask(
      `query ($b: ID!, $p: ID!) {
        product(businessId: $b, id: $p) {
          id
          ... @defer(label: "outer") { name variants @stream(initialCount: 0, label: "list") { id ... @defer(label: "inner") { name } } }
        }
      }`,
      { accept },
    );
    expect(type).toBe('multipart/mixed; boundary="-";incrementalSpec=v0.2');
    expect(results[0]).toEqual({
      data: { product: { id: productId } },
      pending: [{ id: '1', path: ['product'], label: 'outer' }],
      hasNext: true,
    });
    const announced = results.flatMap(({ pending = [] }) => pending);
    expect(announced.map(({ path, label }) => [label, ...path])).toEqual([
      ['outer', 'product'],
      ['list', 'product', 'variants'],
      ['inner', 'product', 'variants', 0],
    ]);
    expect(results.flatMap(({ completed = [] }) => completed.map(({ id }) => id)).sort()).toEqual([
      '1',
      '2',
      '3',
    ]);
    const variant = { id: expect.any(String), name: expect.any(String) };
    expect(mergeResults(results).data).toEqual({
      product: { id: productId, name: expect.any(String), variants: [variant] },
    });
    const older = await ask(deferredOrders, { accept: `multipart/mixed;deferSpec=20220824, ${accept}` });
    expect(older.results[0]).not.toHaveProperty('pending');
  });

  it('announces deferred fragments of an abstract type when they arrive, unless the type is selected', async () => {
    const accept = 'text/event-stream;incrementalSpec=v0.2';
    const select = (name: string) =>
      `query ($b: ID!, $p: ID!) { product(businessId: $b, id: $p) { ... on Node { ${name} id } } node(id: $p) { ${name} id ... on Product @defer { name } } }`;
    const [unknown, known] = await Promise.all(
      ['', '__typename'].map((name) => ask(select(name), { accept })),
    );
    for (const { results } of [unknown, known].filter((asked) => asked !== undefined))
      expect(mergeResults(results).errors).toEqual([]);
    expect(known?.results[0]).toHaveProperty('pending');
    expect(unknown?.results[0]).not.toHaveProperty('pending');
  });

  it('streams the items of a list after the first ones', async () => {
    const { results } = await ask(
      `query ($b: ID!) { products(businessId: $b) { nodes @stream(initialCount: 2, label: "items") { id } } }`,
    );
    expect(results[0]).toMatchObject({ data: { products: { nodes: [{}, {}] } }, hasNext: true });
    const parts = results.flatMap(({ incremental = [] }) => incremental);
    expect(parts.map(({ path, label }) => [path, label])).toEqual(
      [2, 3, 4].map((index) => [['products', 'nodes', index], 'items']),
    );
  });

  it.each([
    ['accepts JSON only', deferredOrders, 'application/json'],
    ['accepts anything', deferredOrders, '*/*'],
    ['disables the directive', deferredOrders.replace('label: "orders"', 'if: false'), multipart],
    [
      'selects introspection',
      deferredOrders.replace('orders(', '__type(name: "Order") { name } orders('),
      multipart,
    ],
  ])('sends one result to a client that %s', async (_name, query, accept) => {
    const { results } = await ask(query, { accept });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      data: { product: { id: productId }, orders: { totalCount: 0 } },
    });
    expect(results[0]).not.toHaveProperty('hasNext');
  });

  it('sends one result for a mutation', async () => {
    const { results } = await ask(
      `mutation ($b: ID!, $p: ID!) { updateProduct(businessId: $b, id: $p, input: { name: "Pan" }) { ... @defer { product { name } } } }`,
    );
    expect(results).toEqual([{ data: { updateProduct: { product: { name: 'Pan' } } } }]);
  });

  it('sends one result for each operation of a batch', async () => {
    const variables = { b: shop.businessId, p: productId };
    const response = await t.app.fetch(
      new Request('http://duet.test/graphql', {
        method: 'POST',
        headers: {
          accept: multipart,
          'content-type': 'application/json',
          authorization: `Bearer ${shop.admin.token}`,
        },
        body: JSON.stringify([1, 2].map(() => ({ query: deferredOrders, variables }))),
      }),
    );
    const whole = { data: { product: { id: productId }, orders: { totalCount: 0 } } };
    expect((await readResults(response)).flat()).toEqual([whole, whole]);
  });

  it('delivers parts that are ready together, in a limited number of results', async () => {
    const { results } = await ask(
      `query ($b: ID!) { products(businessId: $b) { nodes { id ${Array.from(
        { length: 20 },
        (_item, n) => `... @defer(label: "d${n}") { a${n}: name }`,
      ).join(' ')} } } }`,
    );
    expect(results.flatMap(({ incremental = [] }) => incremental)).toHaveLength(100);
    expect(results.length).toBeLessThan(maxIncrementalResults);
  });
});

describe('scopes and errors', () => {
  it.each([
    ['anonymous', () => 'nobody' as const, 'UNAUTHENTICATED'],
    ['staff of another business', () => other.admin, 'FORBIDDEN'],
  ])('rejects a deferred field for %s', async (_name, viewer, code) => {
    const { results } = await ask(
      `query ($b: ID!) { __typename ... @defer { roles(businessId: $b) { totalCount } } }`,
      { as: viewer() },
    );
    expect(results[0]).toMatchObject({ data: { __typename: 'Query' }, hasNext: true });
    expect(codesOf(results)).toEqual([code]);
    expect(JSON.stringify(results)).not.toContain('totalCount');
  });

  it('masks unexpected errors of parts, with the id of the request', async () => {
    await t.db.transaction((tx) => tx.sql('alter table orders rename to secret', []));
    const { results, response } = await ask(deferredOrders);
    await t.db.transaction((tx) => tx.sql('alter table secret rename to orders', []));
    const { errors } = mergeResults(results);
    expect(errors).toMatchObject([
      {
        path: ['orders'],
        extensions: { code: 'INTERNAL', requestId: response.headers.get('x-request-id') },
      },
    ]);
    expect(JSON.stringify(results)).not.toContain('secret');
  });

  it('ends with TIMEOUT at the deadline of the operation', async () => {
    const locked = await lockTables(t.db, 'orders');
    const { results } = await ask(deferredOrders);
    await locked.release();
    expect(results).toMatchObject([
      { data: { product: { id: productId } }, hasNext: true },
      { errors: [{ extensions: { code: 'TIMEOUT' } }], hasNext: false },
    ]);
  });

  it('completes announced parts with the error of the deadline', async () => {
    const locked = await lockTables(t.db, 'orders');
    const { results } = await ask(deferredOrders, { accept: 'multipart/mixed;incrementalSpec=v0.2' });
    await locked.release();
    expect(results.at(-1)).toMatchObject({
      completed: [{ id: '1', errors: [{ extensions: { code: 'TIMEOUT' } }] }],
      hasNext: false,
    });
  });

  it('limits the size of all results together', async () => {
    const update = await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/${productId}`, {
      as: shop.admin,
      body: { description: 'x'.repeat(9_000) },
    });
    expect(update.status).toBe(200);
    const fragments = Array.from({ length: 300 }, (_item, n) => `... @defer { a${n}: description }`);
    const { results } = await ask(
      `query ($b: ID!, $p: ID!) { product(businessId: $b, id: $p) { id ${fragments.join(' ')} } }`,
    );
    expect(results.at(-1)).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST', details: [{ error: 'ANSWER_TOO_LARGE' }] } }],
      hasNext: false,
    });
  });
});

describe('limits', () => {
  it.each<[string, string, string]>([
    [
      'parts',
      'products(businessId: $b, first: 100) { nodes { ... @defer { a: id } ... @defer { b: id } ... @defer { c: id } ... @defer { d: id } ... @defer { e: id } ... @defer { f: id } } }',
      'too incremental (600, at most 500)',
    ],
    [
      'streamed parts',
      'products(businessId: $b, first: 100) { nodes { variants @stream { a: id } b: variants @stream { id } } }',
      'too incremental (600, at most 500)',
    ],
    ['a field that is no list', 'products(businessId: $b) @stream { totalCount }', '@stream needs a list'],
    [
      'a label that is used twice',
      '... @defer(label: "a") { __typename } ... @defer(label: "a") { a: __typename }',
      'used more than once',
    ],
    ['a negative count', 'products(businessId: $b) { nodes @stream(initialCount: -1) { id } }', 'at least 0'],
    ['an unknown place', 'products(businessId: $b) @defer { totalCount }', 'may not be used'],
  ])('rejects %s', async (_name, selection, message) => {
    const { results } = await ask(`query ($b: ID!) { business(id: $b) { id } ${selection} }`);
    expect(results).toMatchObject([
      { errors: [{ message: expect.stringContaining(message), extensions: { code: 'BAD_REQUEST' } }] },
    ]);
  });

  it('rejects a variable with a negative count', async () => {
    const query = `query ($b: ID!, $n: Int! = -1) { products(businessId: $b) { nodes @stream(initialCount: $n) { id } } }`;
    const { results } = await ask(query);
    expect(results).toMatchObject([
      {
        errors: [
          { extensions: { code: 'VALIDATION_FAILED', details: [{ field: 'n', error: 'TOO_SMALL' }] } },
        ],
      },
    ]);
  });

  it('charges deferred fields like others, and each part', async () => {
    const budget = async (query: string) => {
      const limited = await testApp({ RATE_LIMIT: 'on' });
      const { businessId, admin } = await limited.shop();
      const response = await postIncrementally(limited, query, { b: businessId }, admin, multipart);
      await response.text();
      return (
        Number(response.headers.get('ratelimit-limit')) - Number(response.headers.get('ratelimit-remaining'))
      );
    };
    const selection = 'nodes { id variants { id name sku } }';
    const list = (inner: string) => `query ($b: ID!) { products(businessId: $b, first: 100) { ${inner} } }`;
    const plain = await budget(list(selection));
    const deferred = await budget(list('nodes { ... @defer { id variants { id name sku } } }'));
    expect(deferred).toBeGreaterThan(plain);
  });

  it('occupies its place under the concurrency limit until all parts are executed', async () => {
    const single = await testApp({ RATE_LIMIT: 'off', MAX_CONCURRENCY: '1' });
    const { businessId, admin } = await single.shop();
    const locked = await lockTables(single.db, 'orders');
    const query = `query ($b: ID!) { __typename ... @defer { orders(businessId: $b) { totalCount } } }`;
    const response = await postIncrementally(single, query, { b: businessId }, admin, multipart);
    const next = single.graphql('{ __typename }', {}, { as: admin });
    expect(await Promise.race([next, sleep(100, 'queued')])).toBe('queued');
    await locked.release();
    expect(mergeResults(await readResults(response)).data).toEqual({
      __typename: 'Query',
      orders: { totalCount: 0 },
    });
    expect((await next).data).toEqual({ __typename: 'Query' });
  });
});

it('continues without a client that disconnects', async () => {
  const locked = await lockTables(t.db, 'orders');
  const response = await postIncrementally(
    t,
    deferredOrders,
    { b: shop.businessId, p: productId },
    shop.admin,
    multipart,
  );
  await response.body?.cancel();
  await locked.release();
  expect((await t.graphql('{ __typename }')).data).toEqual({ __typename: 'Query' });
});
