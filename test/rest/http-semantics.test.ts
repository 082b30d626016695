/** HTTP semantics of REST: Link headers, problem details, compression, caching, and sparse fields. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { compressResponse, negotiateEncoding } from '../../src/http/finish-response.ts';
import type { HttpRequest } from '../../src/http-message.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let guest: Person;
let products: string;
let id: string;

beforeAll(async () => {
  t = await testApp();
  [shop, guest] = await Promise.all([t.shop(), t.guest()]);
  products = `/v1/businesses/${shop.businessId}/products`;
  for (const name of ['Cup', 'Pot', 'Tea']) {
    const { body } = await t.rest<{ id: string }>('POST', products, {
      as: shop.admin,
      body: {
        name,
        description: 'Earthenware. '.repeat(100),
        variants: [{ name: 'S', sku: `${name}-S` }],
      },
    });
    id = body.id;
  }
  await t.rest('POST', products, { as: shop.admin, body: { name: 'Draft', status: 'DRAFT' } });
});

const fetchPath = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await t.app.fetch(
    new Request(`http://duet.test${path}`, {
      method,
      headers: { authorization: `Bearer ${guest.token}`, 'x-request-id': 'same', ...headers },
    }),
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
};

describe('compression', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['gzip;q=x', undefined],
    ['deflate, zstd', undefined],
  ])('%s selects %s', (accepted, encoding) => expect(negotiateEncoding(accepted)).toBe(encoding));

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('%s contains the same bytes in every round', async (encoding, decompress) => {
    for (const path of [products, `${products}/${id}`]) {
      const plain = await fetchPath(path);
      expect(plain.headers.get('content-encoding')).toBeNull();
      for (let time = 0; time < 4; time += 1) {
        const compressed = await fetchPath(path, { 'accept-encoding': encoding });
        expect(compressed.headers.get('content-encoding')).toBe(encoding);
        expect(compressed.headers.get('vary')).toBe(plain.headers.get('vary'));
        expect(decompress(compressed.bytes).equals(plain.bytes)).toBe(true);
        expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      }
    }
  });

  it.each(['br', 'gzip'])('%s retains no more memory than its length', async (encoding) => {
    const body = Buffer.from('{"name":"Cup"}'.repeat(200));
    const request = { header: () => encoding } as unknown as HttpRequest;
    const response = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
    const [first, again] = [
      await compressResponse(request, response()),
      await compressResponse(request, response()),
    ];
    const compressed = first.body as Uint8Array;
    expect(again.body).toBe(compressed);
    expect(compressed.byteLength).toBeLessThan(200);
    expect(compressed.buffer.byteLength).toBe(compressed.byteLength);
  });

  it('does not compress small responses', async () => {
    const { headers } = await fetchPath(`${products}/nowhere`, { 'accept-encoding': 'br' });
    expect(headers.get('content-encoding')).toBeNull();
  });

  it('has a weak ETag, which matches like the strong one', async () => {
    const path = `${products}/${id}`;
    const strong = (await fetchPath(path)).headers.get('etag');
    const weak = (await fetchPath(path, { 'accept-encoding': 'gzip' })).headers.get('etag');
    expect(weak).toBe(`W/${strong}`);
    for (const tag of [strong, weak]) {
      const again = await fetchPath(path, { 'accept-encoding': 'gzip', 'if-none-match': String(tag) });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    }
    const changed = await t.rest('PUT', path, {
      as: shop.admin,
      body: { name: 'Cups' },
      headers: { 'if-match': String(weak) },
    });
    expect(changed.status).toBe(200);
  });

  it('applies to GraphQL as well', async () => {
    const response = await t.app.fetch(
      new Request('http://duet.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
        body: JSON.stringify({ query: '{ __schema { types { name } } }' }),
      }),
    );
    const { data } = JSON.parse(gunzipSync(Buffer.from(await response.arrayBuffer())).toString());
    expect(data.__schema.types.length).toBeGreaterThan(10);
  });
});

describe('links', () => {
  it('lead through the whole list and keep the other query parameters', async () => {
    const seen: string[] = [];
    let path: string | undefined = `${products}?fields=name&limit=1&query=&cursor=`;
    while (path !== undefined) {
      const { headers, text } = await fetchPath(path);
      seen.push(...(JSON.parse(text).items as { name: string }[]).map(({ name }) => name));
      const link = headers.get('link');
      if (link !== null) expect(link).toMatch(/fields=name&limit=1&query=&cursor=[\w%-]+>; rel="next"$/);
      path = link === null ? undefined : /^<([^>]+)>/.exec(link)?.[1];
    }
    expect(seen).toEqual(['Cups', 'Pot', 'Cup']);
  });

  it('are the same for cached responses', async () => {
    const first = await fetchPath(`${products}?limit=2`);
    for (let time = 0; time < 4; time += 1)
      expect((await fetchPath(`${products}?limit=2`)).headers.get('link')).toBe(first.headers.get('link'));
    expect(first.headers.get('link')).toContain(encodeURIComponent(JSON.parse(first.text).cursor));
  });
});

it('returns problem details (RFC 9457) if the client accepts them', async () => {
  const path = `${products}?limit=0`;
  const { status, headers, text } = await fetchPath(path, {
    accept: 'application/problem+json, application/json',
  });
  expect([status, headers.get('content-type')]).toEqual([422, 'application/problem+json']);
  const plain = JSON.parse((await fetchPath(path)).text);
  expect(JSON.parse(text)).toEqual({
    type: 'urn:duet:problem:validation-failed',
    title: 'Unprocessable Entity',
    status: 422,
    detail: plain.message,
    instance: 'urn:duet:request:same',
    ...plain,
  });
});

it('allows private caching of reads, and no caching of anything else', async () => {
  const read = await fetchPath(`${products}/${id}`);
  expect(read.headers.get('cache-control')).toBe('private, no-cache');
  expect(read.headers.get('vary')).toBe('Authorization, X-API-Key, X-Duet-Version, Accept, Accept-Encoding');
  expect((await fetchPath(`${products}/nowhere`)).headers.get('cache-control')).toBe('no-store');
  const written = await t.rest('POST', products, { as: shop.admin, body: { name: 'X', status: 'DRAFT' } });
  expect(written.headers.get('cache-control')).toBe('no-store');
  for (const path of ['/graphql?query={me{id}}', '/graphql?query={nothing}', '/graphql', '/health/live'])
    expect((await fetchPath(path)).headers.get('cache-control'), path).toBe('no-store');
});

it('serves the schema as a file', async () => {
  const { status, headers, text } = await fetchPath('/schema.graphql');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toContain('type Product ');
});

describe('API versions', () => {
  const failure = async (version?: string) =>
    JSON.parse((await fetchPath(`${products}/nowhere`, version ? { 'x-duet-version': version } : {})).text);

  it('keep the error format of their date', async () => {
    const { requestId, ...older } = await failure();
    expect(requestId).toBe('same');
    expect(await failure('2026-11-15')).toEqual({ ...older, requestId });
    expect(await failure('2026-11-01')).toEqual(older);
    expect(await failure('2026-11-02')).toMatchObject({
      error: 'BAD_REQUEST',
      details: [{ field: 'X-Duet-Version', error: 'INVALID_VALUE' }],
    });
  });
});

describe('fields', () => {
  const get = async (fields: string, as: Person | null = guest, at = `/${id}`) => {
    const { status, text, headers } = await fetchPath(`${products}${at}?fields=${fields}`, {
      authorization: as ? `Bearer ${as.token}` : '',
    });
    return { status, body: JSON.parse(text), etag: headers.get('etag') };
  };

  it.each([
    ['name', { name: 'Cups' }],
    ['name,variants.sku', { name: 'Cups', variants: [{ sku: 'Tea-S' }] }],
    ['variants.sku,%20name,,name', { name: 'Cups', variants: [{ sku: 'Tea-S' }] }],
    ['variants.inventory.tracked', { variants: [{ inventory: { tracked: false } }] }],
    [
      'variants.inventory,variants.inventory.tracked',
      { variants: [{ inventory: expect.objectContaining({ tracked: false, quantity: 0 }) }] },
    ],
  ])('%s', async (fields, body) => {
    for (let time = 0; time < 4; time += 1)
      expect(await get(fields)).toEqual({ status: 200, body, etag: null });
  });

  it('have an ETag if they include the version', async () => {
    const { body, etag } = await get('version');
    expect(etag).toMatch(new RegExp(`^"${body.version}-`));
  });

  it('apply to the items of a list', async () => {
    const { body } = await get('slug', guest, '');
    expect(body).toEqual({ items: [{ slug: 'tea' }, { slug: 'pot' }, { slug: 'cup' }], cursor: null });
  });

  it.each([
    ['nothing', ['nothing']],
    ['name.first', ['name.first']],
    ['variants.secret,nope,id', ['nope', 'variants.secret']],
    ['constructor,__proto__', ['__proto__', 'constructor']],
    ['items.name', ['items']],
  ])('%s: reports unknown fields', async (fields, unknown) => {
    const { status, body } = await get(fields);
    expect(status).toBe(422);
    // The suggestions are tested in unknown-names.test.ts.
    const details: { error: string; message: string }[] = body.details;
    expect(
      details.map(({ error, message }) => [error, message.replace(/ Did you mean .*/, '')]).sort(),
    ).toEqual(unknown.map((name) => ['UNKNOWN_FIELD', `There is no field ${name}.`]));
  });

  it('are limited, and are not validated for anonymous clients', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `a${n}`).join(',');
    expect((await get(many)).body.details).toMatchObject([{ field: 'fields', error: 'TOO_LONG' }]);
    expect((await get('nothing', null)).status).toBe(401);
  });

  it('do not reveal drafts', async () => {
    expect((await get('name', guest, '/draft')).status).toBe(404);
    expect((await get('name', shop.admin, '/draft')).body).toEqual({ name: 'Draft' });
  });
});
