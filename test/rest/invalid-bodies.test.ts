/** Invalid bodies of REST requests: encoding, media type, size, forbidden texts and wrong types. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let products: string;

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
  products = `/v1/businesses/${shop.businessId}/products`;
});

const errorBody = (error: string) => ({
  error,
  message: expect.any(String),
  details: [],
  validationErrors: [],
  requestId: expect.any(String),
});

describe('invalid bodies', () => {
  it.each([
    ['malformed JSON', '{"name":', 'application/json', 400],
    ['an array', '[]', 'application/json', 400],
    ['a string', '"x"', 'application/json', 400],
    ['null', 'null', 'application/json', 400],
    ['another content type', '{"name":"x"}', 'text/plain', 400],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', 400],
  ])('%s', async (_name, body, type, status) => {
    const response = await t.rest('POST', products, {
      as: shop.admin,
      body,
      headers: { 'content-type': type },
    });
    expect(response.status).toBe(status);
    expect(response.body).toEqual(errorBody('BAD_REQUEST'));
  });

  it.each(['REST', 'GRAPHQL'])('rejects bytes that are not UTF-8: %s', async (protocol) => {
    const text =
      protocol === 'REST' ? '{"name":"\xff"}' : '{"query":"{ __typename }","variables":{"name":"\xff"}}';
    const response = await t.app.fetch(
      new Request(`http://duet.test${protocol === 'REST' ? products : '/graphql'}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.admin.token}`, 'content-type': 'application/json' },
        body: Buffer.from(text, 'latin1'),
      }),
    );
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('BAD_REQUEST');
  });

  it('rejects numbers as ids', async () => {
    const response = await t.rest('POST', products, {
      as: shop.admin,
      body: {
        name: 'x',
        variants: [{ pricing: { markets: [{ marketId: 7, currency: 'USD', price: 1 }] } }],
      },
    });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      details: [
        {
          field: 'variants.0.pricing.markets.0.marketId',
          error: 'INVALID_TYPE',
          message: 'Must be a string.',
        },
      ],
    });
  });

  it('rejects more than 1 MiB', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) });
    const response = await t.rest('POST', products, { as: shop.admin, body });
    expect(response.status).toBe(413);
    expect(response.body).toEqual(errorBody('PAYLOAD_TOO_LARGE'));
  });

  it('ignores keys that would pollute prototypes, and rejects them inside values', async () => {
    const harmless = await t.rest('POST', products, {
      as: shop.admin,
      body: '{"name":"Proto","__proto__":{"isAdmin":true},"constructor":1}',
    });
    expect(harmless.status).toBe(200);
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    const poisoned = await t.rest('POST', products, {
      as: shop.admin,
      body: '{"name":"x","blocks":[{"id":"a","type":"TEXT","value":{"__proto__":{"x":1}}}]}',
    });
    expect(poisoned.status).toBe(422);
    expect(poisoned.body).toMatchObject({ details: [{ field: 'blocks.0.value', error: 'INVALID_TEXT' }] });
  });

  it.each([
    ['NUL', 'a\u0000b'],
    ['an unpaired surrogate', 'a\ud800b'],
  ])('rejects %s in strings', async (_name, name) => {
    const response = await t.rest('POST', products, {
      as: shop.admin,
      body: { name, blocks: [{ id: 'b', type: 'TEXT', value: { en: [name] } }] },
    });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      details: [
        { field: 'name', error: 'INVALID_TEXT' },
        { field: 'blocks.0.value', error: 'INVALID_TEXT' },
      ],
    });
  });
});
