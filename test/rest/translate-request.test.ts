/** Translation of pasted REST requests to GraphQL: parsers, variables, field origins and printed code. */
import { readFileSync } from 'node:fs';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import { hashDocument } from '../../src/graphql/http/trusted-documents.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { listFieldOrigins } from '../../src/rest/translation/field-origins.ts';
import { formatClientCode, formatGraphqlCurl } from '../../src/rest/translation/format-client-code.ts';
import { parseCurlCommands } from '../../src/rest/translation/parse-curl.ts';
import { parseRestRequests } from '../../src/rest/translation/parse-rest-requests.ts';
import { type RestRequest, translateRequest } from '../../src/rest/translation/translate-request.ts';

function translate(request: Partial<RestRequest> & { path: string }) {
  const translated = translateRequest({ method: 'GET', headers: {}, body: {}, ...request });
  if (!translated) throw new Error(`No route for ${request.path}.`);
  return translated;
}

describe('a curl command', () => {
  it.each<[string, string, Partial<RestRequest>]>([
    ['with a host', `curl https://shop.example/v1/users/me`, { path: '/v1/users/me' }],
    [
      'of the reference',
      `curl "$DUET_URL"'/v1/users/me' \\\n  -H "Authorization: Bearer $TOKEN"`,
      {
        path: '/v1/users/me',
        headers: { authorization: 'Bearer $TOKEN' },
      },
    ],
    [
      'with a body',
      `curl -s localhost:4000/v1/users/login -H 'content-type: application/json' -d '{"provider":"GUEST"}' | jq .`,
      {
        method: 'POST',
        path: '/v1/users/login',
        body: { provider: 'GUEST' },
      },
    ],
    [
      'of a browser',
      `curl 'http://h/v1/a?x=1#top' -X 'PUT' -b 'c=d' --compressed --data-raw $'{"name":"It\\'s \\u00e9"}'`,
      {
        method: 'PUT',
        path: '/v1/a?x=1',
        body: { name: "It's é" },
      },
    ],
    ['with joined options', `curl -XDELETE --url=http://h/v1/a`, { method: 'DELETE', path: '/v1/a' }],
    [
      'with combined options',
      `curl -sSLX POST -kH 'If-Match: "3"' -so/dev/null -m 10 http://h/v1/a -d'{"b":1}'`,
      { method: 'POST', path: '/v1/a', headers: { 'if-match': '"3"' }, body: { b: 1 } },
    ],
    [
      'with a bearer token',
      `curl --oauth2-bearer t http://h/v1/a`,
      { path: '/v1/a', headers: { authorization: 'Bearer t' } },
    ],
    [
      'with -G',
      `curl -G http://h/v1/a?x=1 -d limit=5 --data-urlencode 'q=red & blue' --data-urlencode '=tea'`,
      {
        method: 'GET',
        path: '/v1/a?x=1&limit=5&q=red%20%26%20blue&tea',
      },
    ],
    [
      'with double quotes',
      `curl -d "{\\"a\\": \\"\\$5\\"}" http://h/v1/a`,
      { method: 'POST', body: { a: '$5' } },
    ],
  ])('%s', (_, text, expected) => {
    const [parsed, ...others] = parseCurlCommands(text);
    expect(others).toEqual([]);
    expect(parsed && 'request' in parsed ? parsed.request : parsed).toMatchObject(expected);
  });

  it('is found among others of a script, with comments, assignments, pipes and continued lines', () => {
    const script = `#!/bin/sh
# Signs in; then reads "products".
B=01900000-0000-7000-8000-00000000000b
TOKEN=$(curl -s $URL/v1/users/login -d '{"provider":"GUEST"}' | jq -r .accessToken)
$ curl -s "$URL/v1/businesses/$B/products?limit=5&sort=PRICE" \\
    -H "Authorization: Bearer $TOKEN" > products.json && echo done
cat products.json; curl -fsS $URL/v1/users/me?x=1&y=2 & wait
ME=$(curl $URL/v1/users/me)`;
    const parsed = parseRestRequests(script.replaceAll('\n', '\r\n'));
    expect('requests' in parsed && parsed.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/users/login',
      'GET /v1/businesses/01900000-0000-7000-8000-00000000000b/products?limit=5&sort=PRICE',
      'GET /v1/users/me?x=1&y=2',
      'GET /v1/users/me',
    ]);
  });
});

it.each([
  ['', 'Paste a curl command'],
  ['curl', 'has no URL'],
  ['curl -X', 'has no URL'],
  ['curl http://h/v1/a\ncurl http://h/', 'curl command 2: The URL has no path below /v1/'],
  ['curl http://h/v1/a -d @order.json', 'in a file'],
  ['echo curl http://h/v1/a', 'Paste a curl command'],
  ['curl https://shop.example/', 'no path below /v1/'],
  [`curl -d '[1]' http://h/v1/a`, 'not a JSON object'],
  [`curl -d '{' "http://h/v1/a`, 'not a JSON object'],
  ['{"log": {}}', 'not a HAR file'],
  [
    '{"log": {"entries": [1, {"request": {"method": 1}}, {"request": {"method": "GET", "url": "/"}}]}}',
    'no request',
  ],
  ['GET /graphql', 'no path below /v1/'],
  ['PUT /v1/a\n\n{"a"', 'not a JSON object'],
])('rejects %j', (text, message) => {
  const parsed = parseRestRequests(text);
  expect('error' in parsed && parsed.error).toContain(message);
});

it('reads request lines and HAR files', () => {
  expect(parseRestRequests('PATCH /v1/a HTTP/1.1\nIf-Match: "2"\n\n{"name": "Cup"}')).toEqual({
    requests: [{ method: 'PATCH', path: '/v1/a', headers: { 'if-match': '"2"' }, body: { name: 'Cup' } }],
  });
  const request = { method: 'post', url: 'https://h/v1/a?b=1', postData: { text: '{"c":2}' } };
  const other = { request: { method: 'GET', url: 'https://h/style.css', headers: [] } };
  expect(parseRestRequests(JSON.stringify({ log: { entries: [{ request }, other] } }))).toEqual({
    requests: [{ method: 'POST', path: '/v1/a?b=1', headers: {}, body: { c: 2 } }],
  });
});

it('bounds the time for pasted text, and the depth of its JSON', () => {
  const started = performance.now();
  expect(parseRestRequests(`GET /v1/users/me${'\n'.repeat(500_000)}x`)).toHaveProperty('requests');
  expect(performance.now() - started).toBeLessThan(1000);
  const deep = '['.repeat(3000) + ']'.repeat(3000);
  const problem = { error: 'The body is not a JSON object.' };
  expect(parseRestRequests(`POST /v1/users/login {"x":${deep}}`)).toEqual(problem);
  expect(parseRestRequests(`curl -d '{"x":${deep}}' https://shop.example/v1/users/login`)).toHaveProperty(
    'error',
  );
  expect(() => translate({ path: '/v1/users/login', method: 'POST', body: { x: JSON.parse(deep) } })).toThrow(
    'levels',
  );
});

it('translates path, query, body and headers to variables', () => {
  const list = translate({ path: '/v1/businesses/b/products?limit=5&inStock=true&categoryIds=tea,cups' });
  expect(list.variables).toEqual({
    businessId: 'b',
    first: 5,
    categories: ['tea', 'cups'],
    filter: { inStock: true },
  });
  const change = translate({
    method: 'PUT',
    path: '/v1/businesses/b/products/p',
    headers: { 'if-match': '"3"', authorization: 'Bearer t', cookie: 'c' },
    body: { name: 'Cup', colour: 'red' },
  });
  expect(change).toMatchObject({
    variables: { businessId: 'b', id: 'p', input: { name: 'Cup' }, version: 3 },
    headers: { authorization: 'Bearer t' },
    ignoredFields: ['colour'],
    errors: [],
  });
  const strict = translate({
    method: 'PUT',
    path: '/v1/businesses/b/products/p',
    headers: { 'x-duet-version': '2026-11-18' },
    body: { colour: 'red' },
  });
  expect(strict.errors).toMatchObject([{ field: 'colour', error: 'UNKNOWN_FIELD' }]);
});

it('sends stored operations in the text that is registered for trusted documents', () => {
  const manifest = JSON.parse(readFileSync('schema/documents.json', 'utf8')) as Record<string, string>;
  const unregistered = routes.filter(({ method, path }) => {
    const { document } = translate({ method, path: path.replace(/:(\w+)/g, 'x') });
    return manifest[hashDocument(document)] !== document;
  });
  expect(unregistered).toEqual([]);
});

it('reduces the operation to ?fields=, and reports unknown fields', () => {
  const narrowed = translate({ path: '/v1/businesses/b/products/p?fields=name,variants.sku' });
  expect(validate(schema, parse(narrowed.document))).toEqual([]);
  expect(listFieldOrigins(narrowed.parsedRoute).map(({ rest }) => rest)).toEqual(['name', 'variants[].sku']);
  expect(translate({ path: '/v1/businesses/b/products/p?fields=nam' }).errors).toMatchObject([
    { field: 'fields', error: 'UNKNOWN_FIELD' },
  ]);
});

it('finds no route for other paths and methods', () => {
  for (const [method, path] of [
    ['GET', '/v1/nowhere'],
    ['DELETE', '/v1/users/login'],
    ['GET', '/v1/%zz'],
  ] as const)
    expect(translateRequest({ method, path, headers: {}, body: {} })).toBeUndefined();
});

it('names the origin of every field of every response', () => {
  for (const { method, path, response } of routes) {
    const filled = path.replace(/:(\w+)/g, 'x');
    const { parsedRoute } = translate({ method, path: filled });
    const origins = listFieldOrigins(parsedRoute);
    expect(origins.length > 0, `${method} ${path}`).toBe(!('success' in response));
    for (const { coordinate } of origins) {
      const [type = '', field = ''] = coordinate.split('.');
      expect(schema.getType(type), coordinate).toHaveProperty(`_fields.${field}`);
    }
  }
  expect(listFieldOrigins(translate({ path: '/v1/businesses/b/products' }).parsedRoute)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ rest: 'items[].blocks[].id', coordinate: 'Block.key' }),
      expect.objectContaining({ rest: 'cursor', graphql: 'products.pageInfo.endCursor' }),
    ]),
  );
});

it('prints code without the token of the request', () => {
  const translated = translate({
    method: 'POST',
    path: '/v1/users/login',
    headers: { authorization: 'Bearer secret-token', 'idempotency-key': "it's" },
    body: { provider: 'GUEST' },
  });
  const code = formatClientCode(translated);
  expect(code).toContain("import { LoginDocument } from '@duet-gateway/client-graphql/operations';");
  expect(code).toContain(
    `client.run(LoginDocument, { input: { provider: 'GUEST' } }, { idempotencyKey: "it's" })`,
  );
  expect(formatGraphqlCurl(translated)).toContain(`"documentId":"${translated.documentId}"`);
  expect(formatGraphqlCurl(translated)).toContain(`-H 'Idempotency-Key: it'\\''s'`);
  expect(code + formatGraphqlCurl(translated)).not.toContain('secret-token');
});

it('reads shell variables from the environment in the printed code', () => {
  const [parsed] = parseCurlCommands(
    `B=b1\ncurl -X PUT "$URL/v1/businesses/$B/products/$ID" -d "{\\"name\\": \\"$NAME\\", \\"slug\\": \\"a $B\\"}"`,
  );
  if (!parsed || 'error' in parsed) throw new Error('The command was not parsed.');
  const translated = translate(parsed.request);
  expect(translated.variables).toEqual({
    businessId: 'b1',
    id: '$ID',
    input: { name: '$NAME', slug: 'a b1' },
  });
  const code = formatClientCode(translated);
  expect(code).toContain(`id: process.env.ID ?? ''`);
  expect(code).toContain(`name: process.env.NAME ?? '', slug: 'a b1'`);
  expect(formatGraphqlCurl(translated)).toContain(
    `"businessId":"b1","id":"'"$ID"'","input":{"name":"'"$NAME"'","slug":"a b1"}`,
  );
  const numeric = translate({
    method: 'DELETE',
    path: '/v1/businesses/b/products/p',
    headers: { 'if-match': '"$VERSION"' },
  });
  expect([numeric.variables.version, numeric.errors]).toEqual(['$VERSION', []]);
  expect(formatClientCode(numeric)).toContain('version: Number(process.env.VERSION)');
  expect(formatGraphqlCurl(numeric)).toContain(`"version":'"$VERSION"'}`);
  const list = translate({ path: '/v1/businesses/b/products?limit=$N' });
  expect(formatClientCode(list)).toContain('first: Number(process.env.N)');
});

it('restores the REST body: nulls are omitted, and missing records are 404', () => {
  const { toRestBody } = translate({ path: '/v1/businesses/b/products' });
  const page = (pageInfo: object) => ({ products: { nodes: [{ id: 'p', category: null }], pageInfo } });
  expect(toRestBody(page({ hasNextPage: true, endCursor: 'c' }))).toEqual({
    items: [{ id: 'p' }],
    cursor: 'c',
  });
  expect(toRestBody(page({ hasNextPage: false, endCursor: 'c' }))).toEqual({
    items: [{ id: 'p' }],
    cursor: null,
  });
  expect(translate({ path: '/v1/businesses/b/products/p' }).toRestBody({ product: null })).toBeUndefined();
});
