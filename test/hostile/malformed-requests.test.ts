/** Malformed requests in both protocols: never a 5xx, always a readable error body. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
});

interface SentRequest {
  method?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

const hash = 'f'.repeat(64);
const typename = '{ __typename }';

const graphqlRequests: Record<string, [SentRequest, number]> = {
  'a batch of null': [{ body: [null] }, 400],
  'a batch of numbers': [{ body: [1, 2] }, 400],
  'a batch in a batch': [{ body: [[{ query: typename }]] }, 400],
  'extensions that are not JSON': [{ method: 'GET', query: `?query={__typename}&extensions=x` }, 400],
  'variables that are not JSON': [{ method: 'GET', query: `?query={__typename}&variables=x` }, 400],
  'variables that are a list': [{ method: 'GET', query: `?query={__typename}&variables=[1]` }, 400],
  'extensions that are a number': [{ body: { query: typename, extensions: 7 } }, 400],
  'a query that is a list, with a persisted query': [
    { body: { query: [typename], extensions: { persistedQuery: { version: 1, sha256Hash: hash } } } },
    400,
  ],
  'an id that is an object': [{ body: { documentId: { toString: 1 } } }, 400],
  'an id that is a number': [{ body: { documentId: 7 } }, 400],
  'a persisted id that is an object': [
    { body: { extensions: { persistedQuery: { version: 1, sha256Hash: { toString: null } } } } },
    400,
  ],
  'an unsupported media type': [{ body: { query: typename }, headers: { accept: 'image/png' } }, 406],
  'hundreds of unsupported media types': [
    { body: { query: typename }, headers: { accept: 'image/png;q=0.1,'.repeat(800) } },
    406,
  ],
  'a body with another content type than JSON': [
    { body: 'hello', headers: { 'content-type': 'text/css' } },
    415,
  ],
  'a body without a type': [{ body: '', headers: { 'content-type': '' } }, 415],
  DELETE: [{ method: 'DELETE' }, 405],
  PATCH: [{ method: 'PATCH', body: { query: typename } }, 405],
};

describe.each(Object.entries(graphqlRequests))('/graphql: %s', (_name, [request, status]) => {
  it.each(['application/graphql-response+json', undefined])('is rejected with Accept: %s', async (accept) => {
    const { method = 'POST', query = '', headers = {}, body } = request;
    const response = await t.app.fetch(
      new Request(`http://duet.test/graphql${query}`, {
        method,
        headers: { 'content-type': 'application/json', ...(accept ? { accept } : {}), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    expect([response.status, text]).toEqual([
      // With application/json, and in batches, document errors have status 200, as older clients expect.
      accept && !Array.isArray(body) ? status : expect.toBeOneOf([status, 200]),
      expect.stringContaining('"errors"'),
    ]);
    const [firstResult] = [JSON.parse(text)].flat() as { errors: object[] }[];
    expect(firstResult?.errors[0]).toMatchObject({
      message: expect.any(String),
      extensions: { code: expect.any(String) },
    });
    expect(text).not.toContain('INTERNAL');
    expect([...response.headers].join().length, 'headers that a proxy passes on').toBeLessThan(2000);
  });
});

describe('names of Object.prototype', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s works as variable, alias and argument',
    async (name) => {
      const query = `query ($${name}: ID!, $n: Int) { ${name}: business(id: $${name}) { ${name}: id } products(businessId: $${name}, first: $n) { totalCount } }`;
      for (let run = 0; run < 4; run += 1) {
        const variables = JSON.parse(`{"${name}":"${shop.businessId}"}`);
        const { status, text } = await send(query, variables);
        expect([status, text]).toEqual([
          200,
          `{"data":{"${name}":{"${name}":"${shop.businessId}"},"products":{"totalCount":0}}}`,
        ]);
      }
      expect((await send(query, {})).text).toContain('REQUIRED');
    },
  );

  async function send(query: string, variables: object) {
    const response = await t.app.fetch(
      new Request('http://duet.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${shop.admin.token}` },
        body: JSON.stringify({ query, variables }),
      }),
    );
    return { status: response.status, text: await response.text() };
  }
});
