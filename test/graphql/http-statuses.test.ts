/** Statuses of GraphQL over HTTP by kind of error and media type, and documents that the path names: fast handler and Yoga alike. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { addProduct } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: Shop;
let productId: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await t.shop();
  ({ productId } = await addProduct(t, shop));
});

const graphqlResponse = 'application/graphql-response+json';
const call = async (method: string, path: string, accept: string, body?: unknown) => {
  const response = await t.app.fetch(
    new Request(`http://duet.test${path}`, {
      method,
      headers: {
        accept,
        authorization: `Bearer ${shop.admin.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, allow: response.headers.get('allow'), text };
};

const productQuery = 'query One($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id } }';
const failingField =
  'query ($b: ID!) { __typename product(businessId: $b, id: "x") { id } me { id } roles(businessId: "x") { totalCount } }';

describe.each([
  ['fast handler', '/graphql'],
  ['Yoga', '/graphql?handler=yoga'],
])('%s', (_, path) => {
  it.each<[string, number, number, () => unknown]>([
    ['invalid JSON', 400, 400, () => '{"query":'],
    ['a syntax error', 400, 200, () => ({ query: '{' })],
    ['an unknown document', 400, 200, () => ({ documentId: 'sha256:0' })],
    ['an unknown field', 422, 200, () => ({ query: '{ nothing }' })],
    ['an unknown operation', 422, 200, () => ({ query: 'query A { __typename }', operationName: 'B' })],
    ['several operations', 422, 200, () => ({ query: 'query A { __typename } query B { __typename }' })],
    ['a missing variable', 422, 200, () => ({ query: productQuery, variables: { b: shop.businessId } })],
    ['a literal of the wrong type', 422, 200, () => ({ query: '{ product(businessId: {}, id: 1) { id } }' })],
    ['partial data', 200, 200, () => ({ query: failingField, variables: { b: shop.businessId } })],
    ['data', 200, 200, () => ({ query: '{ __typename }' })],
  ])('answers %s with %i, and in legacy JSON with %i', async (_name, status, legacyStatus, body) => {
    const responses = await Promise.all(
      [graphqlResponse, 'application/json'].map((accept) => call('POST', path, accept, body())),
    );
    expect(responses.map((response) => response.status)).toEqual([status, legacyStatus]);
  });
});

describe('GET', () => {
  const documents = JSON.parse(readFileSync('schema/documents.json', 'utf8')) as Record<string, string>;
  const idOf = (kind: string, name: string) =>
    Object.keys(documents).find(
      (id) => documents[id]?.match(/^(?:query|mutation) \w+/gm)?.join() === `${kind} ${name}`,
    );
  const variables = () =>
    `variables=${encodeURIComponent(JSON.stringify({ businessId: shop.businessId, id: productId }))}`;

  it('of a mutation is 405 with Allow, by text, id and path', async () => {
    const id = idOf('mutation', 'DeleteProduct');
    for (const path of [
      '/graphql?query=mutation{__typename}',
      `/graphql?documentId=${id}&${variables()}`,
      `/graphql/${id}?${variables()}`,
    ]) {
      const { status, allow } = await call('GET', path, graphqlResponse);
      expect([path, status, allow]).toEqual([path, 405, 'POST']);
    }
  });

  it('runs the document that the path names, with and without prefix, like the parameter', async () => {
    const id = idOf('query', 'GetProduct');
    const expected = await call('GET', `/graphql?documentId=${id}&${variables()}`, graphqlResponse);
    expect(JSON.parse(expected.text)).toMatchObject({ data: { product: { id: productId } } });
    for (const name of [id, `sha256:${id}`, `sha256%3A${id}`])
      expect(await call('GET', `/graphql/${name}?${variables()}`, graphqlResponse)).toEqual(expected);
    const posted = await call('POST', '/graphql', graphqlResponse, {
      documentId: `sha256:${id}`,
      variables: { businessId: shop.businessId, id: productId },
    });
    expect(posted).toEqual(expected);
  });

  it('of other paths is 404, of an unknown document 400, and other methods are 405', async () => {
    expect((await call('GET', '/graphql/', graphqlResponse)).status).toBe(404);
    const unknown = await call('GET', '/graphql/0123?query={__typename}', graphqlResponse);
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('DOCUMENT_MISMATCH')]);
    const posted = await call('POST', `/graphql/${idOf('query', 'GetProduct')}`, graphqlResponse, {});
    expect([posted.status, posted.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
