/** The lean lane and Yoga give the same answer to the same request: status, headers and bytes. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { documentHash } from '../../src/graphql/http/trusted-documents.ts';
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

interface Sent {
  body: unknown;
  as?: () => Person;
  headers?: Record<string, string>;
}

const one = 'query One($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id name variants { name } } }';
const here = () => ({ b: shop.businessId, id: productId });
const signedIn = { as: () => guest };

const corpus: Record<string, () => Sent> = {
  'a query': () => ({ body: { query: one, variables: here() }, ...signedIn }),
  'a query without variables': () => ({ body: { query: '{ __typename }' } }),
  'null parts': () => ({
    body: { query: '{ __typename }', variables: null, operationName: null, extensions: null },
  }),
  introspection: () => ({ body: { query: '{ __schema { queryType { name } types { name } } }' } }),
  'one of several operations': () => ({
    body: { query: 'query A { __typename } query B { b: __typename }', operationName: 'B' },
  }),
  'several operations and no name': () => ({
    body: { query: 'query A { __typename } query B { __typename }' },
  }),
  'an unknown operation': () => ({ body: { query: 'query A { __typename }', operationName: 'C' } }),
  'a syntax error': () => ({ body: { query: 'query {\n  product(' } }),
  'an empty query': () => ({ body: { query: '' } }),
  'an unknown field': () => ({ body: { query: '{\n  nothing\n  neither { here }\n}' } }),
  'a missing variable': () => ({ body: { query: one, variables: { b: 'x' } }, ...signedIn }),
  'a variable of the wrong type': () => ({ body: { query: one, variables: { b: {}, id: 7 } }, ...signedIn }),
  'an unknown variable': () => ({ body: { query: one, variables: { ...here(), more: 1 } }, ...signedIn }),
  'nobody asking': () => ({ body: { query: one, variables: here() } }),
  'a forged token': () => ({
    body: { query: one, variables: here() },
    headers: { authorization: 'Bearer a.b.c' },
  }),
  'a record that does not exist': () => ({
    body: { query: one, variables: { ...here(), id: 'none' } },
    ...signedIn,
  }),
  'a refusal on the second line': () => ({
    body: {
      query: `mutation ($b: ID!) {\n  createProduct(businessId: $b, input: {name: "X"}) { product { id } }\n}`,
      variables: { b: shop.businessId },
    },
    ...signedIn,
  }),
  'a refusal after carriage returns': () => ({
    body: {
      query: `mutation ($b: ID!) {\r\n  __typename\r\n  deleteProduct(businessId: $b, id: "x") { id }\r\n}`,
      variables: { b: shop.businessId },
    },
    ...signedIn,
  }),
  'a validation failure': () => ({
    body: {
      query: `mutation ($b: ID!) { createProduct(businessId: $b, input: {name: "", slug: "a b"}) { product { id } } }`,
      variables: { b: shop.businessId },
    },
    as: () => shop.admin,
  }),
  'an answer in part': () => ({
    body: {
      query: `query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id } secret: products(businessId: $b, after: "forged") { nodes { id } } }`,
      variables: here(),
    },
    ...signedIn,
  }),
  'a list with a page size that is not one': () => ({
    body: {
      query: 'query ($b: ID!) { products(businessId: $b, first: 0) { nodes { id } } }',
      variables: { b: shop.businessId },
    },
    ...signedIn,
  }),
  'a query that is too costly': () => ({
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
      extensions: { persistedQuery: { version: 1, sha256Hash: documentHash('{ __typename }') } },
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
  'the modern type': 'application/graphql-response+json',
  'both types': 'application/graphql-response+json, application/json;q=0.9',
};

async function send({ body, as, headers }: Sent, accept: string | undefined, query: string) {
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

describe.each(Object.entries(accepts))('asking for %s', (_name, accept) => {
  it.each(Object.entries(corpus))('%s', async (_what, sent) => {
    const lean = await send(sent(), accept, '');
    // The lean lane leaves anything with a query string to Yoga, which does not look at it either.
    const yoga = await send(sent(), accept, '?lane=yoga');
    expect(lean).toEqual(yoga);
    expect(lean.headers['content-type']).toMatch(/^application\/(graphql-response\+)?json; charset=utf-8$/);
    const answer = JSON.parse(lean.text);
    for (const error of answer.errors ?? []) {
      expect(error.extensions).toEqual({
        code: expect.any(String),
        details: expect.any(Array),
        requestId: lean.headers['x-request-id'],
      });
    }
  });
});

it('names the place of a refusal in the document', async () => {
  const { text } = await send(corpus['a refusal on the second line']?.() ?? { body: {} }, undefined, '');
  expect(JSON.parse(text)).toEqual({
    data: null,
    errors: [
      {
        message: 'You do not have the permission this needs.',
        locations: [{ line: 2, column: 3 }],
        path: ['createProduct'],
        extensions: { code: 'FORBIDDEN', details: [], requestId: expect.any(String) },
      },
    ],
  });
});

it('says in both lanes that the database is gone', async () => {
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
  const [lean, yoga] = await Promise.all([ask(''), ask('?lane=yoga')]);
  expect([lean.status, yoga.status]).toEqual([lean.status, lean.status]);
  expect(lean.status).toBeGreaterThanOrEqual(500);
  const text = await lean.text();
  expect(text).toBe(await yoga.text());
  expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { details: [] } }] });
});

it('logs a failure with operation, code, caller and request id, in both lanes', async () => {
  const lines = vi.spyOn(t.app.services.log, 'info');
  const fail = (as: Person | undefined, accept: string, variables: object) =>
    t.app.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-request-id': 'the-one',
          accept,
          ...(as ? { authorization: `Bearer ${as.token}` } : {}),
        },
        body: JSON.stringify({ query: one, variables }),
      }),
    );
  const failed = { requestId: 'the-one', operation: 'One' };
  for (const accept of ['application/json', 'application/json;q=0.9, */*;q=0.1']) {
    lines.mockClear();
    await fail(undefined, accept, here());
    expect(lines).toHaveBeenCalledWith(
      { ...failed, code: 'UNAUTHENTICATED', caller: 'nobody' },
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
