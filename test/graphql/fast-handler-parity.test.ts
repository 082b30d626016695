/** The fast HTTP handler and Yoga return identical responses: status, headers and bytes. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { hashDocument } from '../../src/graphql/http/trusted-documents.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let guest: Person;
let productId: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  [shop, guest] = await Promise.all([t.shop(), t.guest()]);
  const { body } = await t.rest<{ id: string }>('POST', `/v1/businesses/${shop.businessId}/products`, {
    as: shop.admin,
    body: { name: 'Teapot', variants: [{ name: 'Small' }] },
  });
  productId = body.id;
});

interface SentRequest {
  body: unknown;
  as?: () => Person;
  headers?: Record<string, string>;
}

const productQuery =
  'query One($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id name variants { name } } }';
const productVariables = () => ({ b: shop.businessId, id: productId });
const signedIn = { as: () => guest };

const corpus: Record<string, () => SentRequest> = {
  'a query': () => ({ body: { query: productQuery, variables: productVariables() }, ...signedIn }),
  'a query without variables': () => ({ body: { query: '{ __typename }' } }),
  'null parts': () => ({
    body: { query: '{ __typename }', variables: null, operationName: null, extensions: null },
  }),
  introspection: () => ({ body: { query: '{ __schema { queryType { name } types { name } } }' } }),
  'productQuery of several operations': () => ({
    body: { query: 'query A { __typename } query B { b: __typename }', operationName: 'B' },
  }),
  'several operations and no name': () => ({
    body: { query: 'query A { __typename } query B { __typename }' },
  }),
  'an unknown operation': () => ({ body: { query: 'query A { __typename }', operationName: 'C' } }),
  'a syntax error': () => ({ body: { query: 'query {\n  product(' } }),
  'an empty query': () => ({ body: { query: '' } }),
  'an unknown field': () => ({ body: { query: '{\n  nothing\n  neither { productVariables }\n}' } }),
  'a missing variable': () => ({ body: { query: productQuery, variables: { b: 'x' } }, ...signedIn }),
  'a variable of the wrong type': () => ({
    body: { query: productQuery, variables: { b: {}, id: 7 } },
    ...signedIn,
  }),
  'an unknown variable': () => ({
    body: { query: productQuery, variables: { ...productVariables(), more: 1 } },
    ...signedIn,
  }),
  'an anonymous viewer': () => ({ body: { query: productQuery, variables: productVariables() } }),
  'a forged token': () => ({
    body: { query: productQuery, variables: productVariables() },
    headers: { authorization: 'Bearer a.b.c' },
  }),
  'a record that does not exist': () => ({
    body: { query: productQuery, variables: { ...productVariables(), id: 'none' } },
    ...signedIn,
  }),
  'a permission error on the second line': () => ({
    body: {
      query: `mutation ($b: ID!) {\n  createProduct(businessId: $b, input: {name: "X"}) { product { id } }\n}`,
      variables: { b: shop.businessId },
    },
    ...signedIn,
  }),
  'a permission error after carriage returns': () => ({
    body: {
      query: `mutation ($b: ID!) {\r\n  __typename\r\n  deleteProduct(businessId: $b, id: "x") { id: deletedId }\r\n}`,
      variables: { b: shop.businessId },
    },
    ...signedIn,
  }),
  'a validation error': () => ({
    body: {
      query: `mutation ($b: ID!) { createProduct(businessId: $b, input: {name: "", slug: "a b"}) { product { id } } }`,
      variables: { b: shop.businessId },
    },
    as: () => shop.admin,
  }),
  'a partial result': () => ({
    body: {
      query: `query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id } secret: products(businessId: $b, after: "forged") { nodes { id } } }`,
      variables: productVariables(),
    },
    ...signedIn,
  }),
  'an invalid page size': () => ({
    body: {
      query: 'query ($b: ID!) { products(businessId: $b, first: 0) { nodes { id } } }',
      variables: { b: shop.businessId },
    },
    ...signedIn,
  }),
  'a query above the cost limit': () => ({
    body: {
      query: `query ($b: ID!) { ${Array.from({ length: 40 }, (_, n) => `a${n}: products(businessId: $b, first: 100) { nodes { id name slug description category variants { id name } } }`).join(' ')} }`,
      variables: { b: shop.businessId },
    },
    ...signedIn,
  }),
  'too many tokens': () => ({ body: { query: `{ ${'__typename '.repeat(5000)} }` } }),
  'a registered document by id': () => ({ body: { documentId: `sha256:${'0'.repeat(64)}` } }),
  'an unknown persisted query': () => ({
    body: { extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } },
  }),
  'a persisted query with its text': () => ({
    body: {
      query: '{ __typename }',
      extensions: { persistedQuery: { version: 1, sha256Hash: hashDocument('{ __typename }') } },
    },
  }),
  'an id of another text': () => ({ body: { query: '{ __typename }', documentId: 'f'.repeat(64) } }),
  'no document': () => ({ body: {} }),
  'an unknown parameter': () => ({ body: { query: '{ __typename }', more: 1 } }),
  'a list of variables': () => ({ body: { query: '{ __typename }', variables: [] } }),
  'a number for an operation name': () => ({ body: { query: '{ __typename }', operationName: 7 } }),
  'a number for a query': () => ({ body: { query: 7 } }),
  'broken JSON': () => ({ body: '{"query":' }),
  'JSON that is not an object': () => ({ body: '"query"' }),
  'a body that is too large': () => ({ body: { query: `{ __typename } # ${'x'.repeat(1_100_000)}` } }),
};

const accepts = {
  'any type': undefined,
  'application/json': 'application/json',
  'application/graphql-response+json': 'application/graphql-response+json',
  'both types': 'application/graphql-response+json, application/json;q=0.9',
};

async function send({ body, as, headers }: SentRequest, accept: string | undefined, query: string) {
  const response = await t.app.fetch(
    new Request(`http://duet.test/graphql${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'same',
        ...(accept ? { accept } : {}),
        ...(as ? { authorization: `Bearer ${as().token}` } : {}),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].sort()),
    text: await response.text(),
  };
}

describe.each(Object.entries(accepts))('accept: %s', (_name, accept) => {
  it.each(Object.entries(corpus))('%s', async (_name, createRequest) => {
    const fast = await send(createRequest(), accept, '');
    // The fast handler leaves all requests with a query string to Yoga, which ignores this parameter.
    const yoga = await send(createRequest(), accept, '?handler=yoga');
    expect(fast).toEqual(yoga);
    expect(fast.headers['content-type']).toMatch(/^application\/(graphql-response\+)?json; charset=utf-8$/);
    const result = JSON.parse(fast.text);
    for (const error of result.errors ?? []) {
      expect(error.extensions).toEqual({
        code: expect.any(String),
        details: expect.any(Array),
        requestId: fast.headers['x-request-id'],
      });
    }
  });
});

it('reports the location of an error in the document', async () => {
  const { text } = await send(
    corpus['a permission error on the second line']?.() ?? { body: {} },
    undefined,
    '',
  );
  expect(JSON.parse(text)).toEqual({
    data: null,
    errors: [
      {
        message: 'You do not have the required permission: PRODUCTS_WRITE.',
        locations: [{ line: 2, column: 3 }],
        path: ['createProduct'],
        extensions: { code: 'FORBIDDEN', details: [], requestId: expect.any(String) },
      },
    ],
  });
});

it('returns the same error from both handlers when the database is closed', async () => {
  const broken = await testApp({ RATE_LIMIT: 'off' });
  const admin = await broken.withApiKey(await broken.person());
  await broken.db.close();
  const ask = (query: string) =>
    broken.app.fetch(
      new Request(`http://duet.test/graphql${query}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-request-id': 'same',
          authorization: `Bearer ${admin.token}`,
        },
        body: JSON.stringify({ query: '{ __typename }' }),
      }),
    );
  const [fast, yoga] = await Promise.all([ask(''), ask('?handler=yoga')]);
  expect([fast.status, yoga.status]).toEqual([fast.status, fast.status]);
  expect(fast.status).toBeGreaterThanOrEqual(500);
  const text = await fast.text();
  expect(text).toBe(await yoga.text());
  expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { details: [] } }] });
});

it('logs a failed operation with name, code, caller and request id, in both handlers', async () => {
  const lines = vi.spyOn(t.app.services.log, 'info');
  const fail = (as: Person | undefined, accept: string, variables: object) =>
    t.app.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-request-id': 'the-productQuery',
          accept,
          ...(as ? { authorization: `Bearer ${as.token}` } : {}),
        },
        body: JSON.stringify({ query: productQuery, variables }),
      }),
    );
  const failed = { requestId: 'the-productQuery', operation: 'One' };
  for (const accept of ['application/json', 'application/json;q=0.9, */*;q=0.1']) {
    lines.mockClear();
    await fail(undefined, accept, productVariables());
    expect(lines).toHaveBeenCalledWith(
      { ...failed, code: 'UNAUTHENTICATED', caller: 'anonymous' },
      'operation failed',
    );
    await fail(guest, accept, { b: {} });
    expect(lines).toHaveBeenCalledWith(
      { ...failed, code: 'VALIDATION_FAILED', caller: guest.userId },
      'operation failed',
    );
  }
  lines.mockRestore();
});
