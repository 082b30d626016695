/** Requests to both voices that no honest client sends, and the answers they may get: never a 5xx, always a body to read. */
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';

let t: TestApp;
let shop: Shop;
let base: string;

beforeAll(async () => {
  t = await testApp();
  [shop, base] = [await t.shop(), await listen(t)];
});

interface Sent {
  method?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

const hash = 'f'.repeat(64);
const typename = '{ __typename }';

const graphqlRequests: Record<string, [Sent, number]> = {
  'a batch of null': [{ body: [null] }, 400],
  'a batch of numbers': [{ body: [1, 2] }, 400],
  'a batch in a batch': [{ body: [[{ query: typename }]] }, 400],
  'extensions that are not JSON': [{ method: 'GET', query: `?query={__typename}&extensions=x` }, 400],
  'variables that are not JSON': [{ method: 'GET', query: `?query={__typename}&variables=x` }, 400],
  'variables that are a list': [{ method: 'GET', query: `?query={__typename}&variables=[1]` }, 400],
  'extensions that are a number': [{ body: { query: typename, extensions: 7 } }, 400],
  'a query that is a list beside a persisted one': [
    { body: { query: [typename], extensions: { persistedQuery: { version: 1, sha256Hash: hash } } } },
    400,
  ],
  'an id that is an object': [{ body: { documentId: { toString: 1 } } }, 400],
  'an id that is a number': [{ body: { documentId: 7 } }, 400],
  'a persisted id that is an object': [
    { body: { extensions: { persistedQuery: { version: 1, sha256Hash: { toString: null } } } } },
    400,
  ],
  'a media type that nobody accepts': [{ body: { query: typename }, headers: { accept: 'image/png' } }, 406],
  'a body that is not JSON by its own word': [
    { body: 'hello', headers: { 'content-type': 'text/css' } },
    415,
  ],
  'a body without a type': [{ body: '', headers: { 'content-type': '' } }, 415],
  DELETE: [{ method: 'DELETE' }, 405],
  PATCH: [{ method: 'PATCH', body: { query: typename } }, 405],
};

describe.each(Object.entries(graphqlRequests))('/graphql: %s', (_name, [sent, status]) => {
  it.each(['application/graphql-response+json', undefined])('is refused, asked for %s', async (accept) => {
    const { method = 'POST', query = '', headers = {}, body } = sent;
    const response = await t.app.fetch(
      new Request(`http://duet.test/graphql${query}`, {
        method,
        headers: { 'content-type': 'application/json', ...(accept ? { accept } : {}), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    expect([response.status, text]).toEqual([
      // Plain JSON answers errors of the document with 200, as older clients expect, and so do batches.
      accept && !Array.isArray(body) ? status : expect.toBeOneOf([status, 200]),
      expect.stringContaining('"errors"'),
    ]);
    const [answer] = [JSON.parse(text)].flat() as { errors: object[] }[];
    expect(answer?.errors[0]).toMatchObject({
      message: expect.any(String),
      extensions: { code: expect.any(String) },
    });
    expect(text).not.toContain('INTERNAL');
  });
});

/** What a socket gets back: status line and body. */
function raw(text: string): Promise<{ status: number; body: string }> {
  const { port, hostname } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () =>
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0),
        body: received.slice(received.indexOf('\r\n\r\n') + 4),
      }),
    );
    socket.on('error', reject);
    socket.end(text);
  });
}

describe('on a socket', () => {
  const json = (headers: string, target = '/graphql?lane=yoga') => {
    const body = JSON.stringify({ query: typename });
    return `POST ${target} HTTP/1.1\r\n${headers}connection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
  it.each([
    ['a host that is none', json('host: a b c\r\n'), [200]],
    ['a host with a port that is none', json('host: x:99999999\r\n'), [200]],
    ['an empty host', json('host: \r\n'), [200]],
    ['an absolute target', json('host: x\r\n', 'http://elsewhere.test/graphql'), [200, 404]],
    ['TRACE', 'TRACE /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', [405]],
    [
      'a method that nobody knows',
      'BREW /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      [400, 405],
    ],
    ['CONNECT', 'CONNECT /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', [0, 400, 405]],
    ['headers of 20 KB', json(`host: x\r\nx-long: ${'x'.repeat(20_000)}\r\n`), [431]],
    [
      'two lengths',
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      [400],
    ],
    [
      'length and chunks',
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      [400],
    ],
    ['HTTP/1.0', 'GET /health/live HTTP/1.0\r\n\r\n', [200]],
    ['no host', 'GET /health/live HTTP/1.1\r\nconnection: close\r\n\r\n', [400]],
    ['a target of two slashes', 'GET //graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', [404]],
  ])('%s', async (_name, text, allowed) => {
    const { status } = await raw(text);
    expect(allowed).toContain(status);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
  });
});

describe('names that every object has', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is a name like any other',
    async (name) => {
      const query = `query ($${name}: ID!, $n: Int) { ${name}: business(id: $${name}) { ${name}: id } products(businessId: $${name}, first: $n) { totalCount } }`;
      for (let run = 0; run < 4; run += 1) {
        const variables = JSON.parse(`{"${name}":"${shop.businessId}"}`);
        const { status, text } = await ask(query, variables);
        expect([status, text]).toEqual([
          200,
          `{"data":{"${name}":{"${name}":"${shop.businessId}"},"products":{"totalCount":0}}}`,
        ]);
      }
      expect((await ask(query, {})).text).toContain('REQUIRED');
    },
  );

  async function ask(query: string, variables: object) {
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
