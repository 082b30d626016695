/** The REST engine: paths, methods, headers, conditional requests and retries. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let guest: Person;
let products: string;

beforeAll(async () => {
  t = await testApp();
  [shop, guest] = await Promise.all([t.shop(), t.guest()]);
  products = `/v1/businesses/${shop.businessId}/products`;
});

const errorBody = (error: string, details: object[] = []) => ({
  error,
  message: expect.any(String),
  details,
  validationErrors: details.map(() => expect.anything()),
  requestId: expect.any(String),
});

describe('paths and methods', () => {
  it('returns 404 for unknown paths', async () => {
    for (const path of ['/v1/nothing', '/v1/businesses/x/y/z/a', '/v2/products', '/v1/%zz']) {
      const response = await t.rest('GET', path, { as: shop.admin });
      expect(response.status, path).toBe(404);
      expect(response.body).toEqual(errorBody('NOT_FOUND'));
    }
  });

  it('returns 405 with Allow for unsupported methods', async () => {
    const response = await t.rest('PATCH', products, { as: shop.admin });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
    expect(response.body).toEqual(errorBody('METHOD_NOT_ALLOWED'));
  });

  it('answers OPTIONS with the supported methods, or 404', async () => {
    for (const path of [products, `${products}/`]) {
      const response = await t.rest('OPTIONS', path);
      expect([response.status, response.body, response.headers.get('allow')]).toEqual([
        204,
        null,
        'POST, GET, HEAD, OPTIONS',
      ]);
    }
    expect((await t.rest('OPTIONS', '/v1/nothing')).status).toBe(404);
  });

  it('answers HEAD like GET, without the body', async () => {
    const response = await t.rest('HEAD', products, { as: guest });
    expect([response.status, response.body]).toEqual([200, null]);
  });

  it.each(['not-an-id', '0', '%00', "'; drop table products; --", newId()])(
    'finds nothing under the id %s',
    async (id) => {
      const response = await t.rest('GET', `${products}/${encodeURIComponent(id)}`, { as: guest });
      expect(response.status).toBe(404);
      const inNoBusiness = await t.rest('GET', `/v1/businesses/${encodeURIComponent(id)}/products`, {
        as: guest,
      });
      expect([inNoBusiness.status, inNoBusiness.body]).toEqual([404, errorBody('NOT_FOUND')]);
    },
  );

  it('accepts a JSON content type on requests without a body', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await t.rest('GET', products, { as: guest, headers })).status).toBe(200);
    expect((await t.rest('DELETE', `${products}/none`, { as: shop.admin, headers })).status).toBe(404);
  });
});

describe('headers', () => {
  it('echoes or generates X-Request-Id', async () => {
    const echoed = await t.rest('GET', products, { as: guest, headers: { 'x-request-id': 'abc-123' } });
    expect(echoed.headers.get('x-request-id')).toBe('abc-123');
    const generated = await t.rest('GET', '/v1/none', { headers: { 'x-request-id': 'two words' } });
    expect(generated.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends WWW-Authenticate to anonymous clients', async () => {
    const response = await t.rest('GET', products);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('allows in preflights every header that clients send', async () => {
    const response = await t.rest('OPTIONS', products, {
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'PUT' },
    });
    expect(response.status).toBe(204);
    const allowed = response.headers.get('access-control-allow-headers');
    for (const name of ['Authorization', 'Content-Type', 'X-API-Key', 'Idempotency-Key', 'If-Match'])
      expect(allowed).toContain(name);
    expect(response.headers.get('access-control-expose-headers')).toMatch(/X-Request-Id, ETag/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('sends the JSON content type with every JSON response', async () => {
    for (const path of [products, '/v1/none', `${products}/none`]) {
      expect((await t.rest('GET', path, { as: guest })).headers.get('content-type')).toBe(
        'application/json; charset=utf-8',
      );
    }
  });
});

describe('conditional requests', () => {
  it('returns 304 while the record is unchanged, and 412 to a stale update', async () => {
    const { body } = await t.rest<{ id: string }>('POST', products, {
      as: shop.admin,
      body: { name: 'Conditional' },
    });
    const path = `${products}/${body.id}`;
    const first = await t.rest('GET', path, { as: guest });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"1-[\w-]{16}"$/);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await t.rest('GET', path, { as: guest, headers: { 'if-none-match': tag } });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
    }
    const changed = await t.rest<{ version: number }>('PUT', path, {
      as: shop.admin,
      body: { name: 'New' },
      headers: { 'if-match': etag },
    });
    expect([changed.status, changed.body.version]).toEqual([200, 2]);
    const read = await t.rest('GET', path, { as: shop.admin });
    expect(changed.headers.get('etag')).toBe(read.headers.get('etag'));
    for (const stale of [etag, '"nonsense"', `${etag}, "3-x"`, '"2147483648"', `"${'1'.repeat(400)}"`]) {
      for (const method of ['PUT', 'DELETE']) {
        const rejected = await t.rest(method, path, {
          as: shop.admin,
          headers: { 'if-match': stale },
          ...(method === 'PUT' ? { body: { name: 'Lost' } } : {}),
        });
        expect(rejected.status).toBe(412);
        expect(rejected.body).toEqual(errorBody('PRECONDITION_FAILED'));
      }
    }
    expect((await t.rest('GET', path, { as: guest })).body).toMatchObject({ name: 'New', version: 2 });
    const removed = await t.rest('DELETE', path, {
      as: shop.admin,
      // Any tag of the list may match, at any position.
      headers: { 'if-match': `"nonsense", ${etag}, W/${changed.headers.get('etag')}, "7-x"` },
    });
    expect([removed.status, removed.body]).toEqual([200, { id: body.id, deleted: true }]);
    expect((await t.rest('DELETE', path, { as: shop.admin })).status).toBe(404);
  });
});

describe('retries', () => {
  const keyed = (key: string, as = shop.admin) => ({ as, headers: { 'idempotency-key': key } });

  it('creates once per key, for REST and GraphQL, and returns the first result after later changes', async () => {
    const key = newId();
    const body = { name: 'Once', description: 'the first' };
    const first = await t.rest<{ id: string }>('POST', products, { ...keyed(key), body });
    await t.rest('PUT', `${products}/${first.body.id}`, { as: shop.admin, body: { description: 'changed' } });
    const second = await t.rest('POST', products, { ...keyed(key), body });
    expect(second.body).toEqual(first.body);
    const third = await t.graphql(
      'mutation ($b: ID!, $input: CreateProductInput!) { createProduct(businessId: $b, input: $input) { product { id description } } }',
      { b: shop.businessId, input: { description: 'the first', name: 'Once' } },
      keyed(key),
    );
    expect(third.data).toEqual({
      createProduct: { product: { id: first.body.id, description: 'the first' } },
    });
  });

  it('compares the input as sent, not the generated ids and defaults', async () => {
    const otherShop = await t.shop();
    const requests: [string, object][] = [
      [
        'products',
        {
          name: 'Pictured',
          gallery: [{ url: '/a.jpg', mimeType: 'image/jpeg' }],
          variants: [{ gallery: [{ url: '/b.jpg', mimeType: 'image/jpeg' }] }],
        },
      ],
      ['collections', { name: 'Weekly', type: 'NEWSLETTER', plans: [{ name: 'Free for all' }] }],
    ];
    for (const [path, body] of requests) {
      const key = newId();
      const send = () =>
        t.rest('POST', `/v1/businesses/${otherShop.businessId}/${path}`, {
          ...keyed(key, otherShop.admin),
          body,
        });
      const first = await send();
      expect(first.status).toBe(200);
      expect((await send()).body).toEqual(first.body);
    }
  });

  it('rejects a key that was used for another request', async () => {
    const key = newId();
    await t.rest('POST', products, { ...keyed(key), body: { name: 'One thing' } });
    const other = await t.rest('POST', products, { ...keyed(key), body: { name: 'Another' } });
    expect(other.status).toBe(409);
    expect(other.body).toEqual(
      errorBody('CONFLICT', [
        { field: 'Idempotency-Key', error: 'IDEMPOTENCY_KEY_REUSED', message: expect.any(String) },
      ]),
    );
  });

  it('scopes keys to the caller, and does not store errors', async () => {
    const key = newId();
    const colleague = await t.addMember(shop, await t.person(), 'MANAGER');
    const mine = await t.rest<{ id: string }>('POST', products, { ...keyed(key), body: { name: 'Apart' } });
    const theirs = await t.rest<{ id: string }>('POST', products, {
      ...keyed(key, colleague),
      body: { name: 'Apart' },
    });
    expect(theirs.body.id).not.toBe(mine.body.id);
    const again = newId();
    expect(
      (await t.rest('POST', products, { ...keyed(again), body: { name: 'F', slug: 'apart' } })).status,
    ).toBe(422);
    expect(
      (await t.rest('POST', products, { ...keyed(again), body: { name: 'F', slug: 'not-taken' } })).status,
    ).toBe(200);
  });

  it('creates one record for parallel retries', async () => {
    const key = newId();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        t.rest<{ id: string }>('POST', products, { ...keyed(key), body: { name: 'Parallel' } }),
      ),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });
});

describe('credentials', () => {
  it('accepts an API key as bearer and as X-API-Key, until it is revoked', async () => {
    const key = await t.withApiKey(shop.admin);
    const asHeader = { headers: { 'x-api-key': key.token } };
    expect((await t.rest('POST', products, { as: key, body: { name: 'By bearer' } })).status).toBe(200);
    expect((await t.rest('POST', products, { ...asHeader, body: { name: 'By header' } })).status).toBe(200);
    await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId } });
    expect((await t.rest('POST', products, { as: key, body: { name: 'Too late' } })).status).toBe(401);
    expect((await t.rest('GET', products, asHeader)).status).toBe(401);
  });

  it('rejects forged, altered and refresh tokens', async () => {
    const [header, payload, signature] = shop.admin.token.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const expired = await t.app.services.tokens.issueAccess({ sub: shop.admin.userId, provider: 'EMAIL' });
    const refresh = await t.app.services.tokens.issueRefresh({
      sub: shop.admin.userId,
      provider: 'EMAIL',
      exp: null,
    });
    const bad = [
      `${header}.${encode({ ...claims, exp: claims.exp + 9999 })}.${signature}`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${encode({ alg: 'none', typ: 'at+jwt', kid: JSON.parse(Buffer.from(header, 'base64url').toString()).kid })}.${payload}.${signature}`,
      `${expired.token}x`,
      refresh.token,
      'a.b.c',
      '',
    ];
    for (const token of bad)
      expect((await t.rest('GET', products, { as: { userId: '', token } })).status, token).toBe(401);
  });
});
