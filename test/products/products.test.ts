/** Creation and reading of products in REST and GraphQL, and authorisation. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let guest: Person;
let products: string;

beforeAll(async () => {
  t = await testApp();
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  products = `/v1/businesses/${shop.businessId}/products`;
});

const teapot = () => ({
  name: 'Teapot',
  description: 'Cast iron',
  category: 'tea',
  gallery: [{ id: 'm1', url: 'https://img.example/1.jpg', mimeType: 'image/jpeg' }],
  variants: [
    {
      name: 'Small',
      sku: `SKU-${newId()}`,
      attributes: [{ name: 'size', value: 'S' }],
      pricing: {
        markets: [{ marketId: 'US', currency: 'usd', price: 4_999_999_999, compareAtPrice: 5_999_999_999 }],
      },
      inventory: { tracked: true, quantity: 3, lowStockThreshold: 1 },
    },
  ],
  blocks: [{ id: 'care', type: 'TEXT', value: { en: 'Dry it', de: null } }],
});

describe('create and read', () => {
  it('returns the same complete product from create, get, list and GraphQL', async () => {
    const input = teapot();
    const created = await t.rest('POST', products, {
      as: shop.admin,
      body: { ...input, id: 'ignored', businessId: 'ignored', isAdmin: true },
    });
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      businessId: shop.businessId,
      name: 'Teapot',
      slug: 'teapot',
      description: 'Cast iron',
      category: 'tea',
      gallery: input.gallery,
      variants: [
        {
          ...input.variants[0],
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          pricing: {
            markets: [
              { marketId: 'US', currency: 'USD', price: 4_999_999_999, compareAtPrice: 5_999_999_999 },
            ],
          },
        },
      ],
      statuses: [
        {
          id: expect.any(String),
          status: 'ACTIVE',
          changedBy: 'USER',
          userId: shop.admin.userId,
          timestamp: expect.any(Number),
        },
      ],
      blocks: input.blocks,
      version: 1,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    for (const address of [created.body.id, 'teapot', `${shop.businessId}:en:teapot`]) {
      const read = await t.rest('GET', `${products}/${address}`, { as: shop.admin });
      expect(read.body).toEqual(created.body);
    }
    const listed = await t.rest<{ items: unknown[] }>('GET', `${products}?category=tea`, { as: shop.admin });
    expect(listed.body).toEqual({ items: [created.body], cursor: null });
    const viaGraphql = await t.graphql(
      'query ($b: ID!) { product(businessId: $b, id: "teapot") { slug status variants { inventory { isLow } } } }',
      { b: shop.businessId },
      { as: guest },
    );
    expect(viaGraphql).toMatchObject({
      status: 200,
      data: { product: { slug: 'teapot', status: 'ACTIVE', variants: [{ inventory: { isLow: false } }] } },
      errors: [],
    });
  });

  it('generates a free slug by default, and rejects a requested slug that is taken', async () => {
    const first = await t.rest<{ slug: string }>('POST', products, {
      as: shop.admin,
      body: { name: 'Crème brûlée' },
    });
    const second = await t.rest<{ slug: string }>('POST', products, {
      as: shop.admin,
      body: { name: 'Crème brûlée' },
    });
    expect([first.body.slug, second.body.slug]).toEqual(['creme-brulee', 'creme-brulee-2']);
    const third = await t.rest('POST', products, {
      as: shop.admin,
      body: { name: 'X', slug: 'creme-brulee' },
    });
    expect(third.status).toBe(422);
    expect(third.body).toMatchObject({
      error: 'VALIDATION_FAILED',
      details: [{ field: 'slug', error: 'SLUG_TAKEN' }],
      validationErrors: [{ field: 'slug', error: 'SLUG_TAKEN' }],
    });
  });

  it('reports all validation errors at once, of types and of rules', async () => {
    const answer = await t.rest<{ details: { field: string; error: string }[] }>('POST', products, {
      as: shop.admin,
      body: {
        slug: 'not a slug',
        gallery: 'none',
        variants: [
          {
            pricing: {
              markets: [
                { marketId: 'US', currency: 'XXQ', price: -1 },
                { marketId: 'us', currency: 'USD', price: 1.5 },
              ],
            },
          },
          { inventory: { quantity: 'many' }, name: 7 },
        ],
        status: 'GONE',
      },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.details.map(({ field, error }) => `${field} ${error}`).sort()).toEqual([
      'gallery INVALID_TYPE',
      'name REQUIRED',
      'slug INVALID_FORMAT',
      'status INVALID_VALUE',
      'variants.0.pricing.markets.0.currency UNKNOWN_CURRENCY',
      'variants.0.pricing.markets.0.price TOO_SMALL',
      'variants.0.pricing.markets.1.marketId DUPLICATE_MARKET',
      'variants.0.pricing.markets.1.price INVALID_TYPE',
      'variants.1.inventory.quantity INVALID_TYPE',
      'variants.1.name INVALID_TYPE',
    ]);
  });
});

describe('authorisation precedes validation', () => {
  const wrong = { name: 7 };
  it.each([
    ['an anonymous client', 401, () => undefined],
    ['a guest', 403, () => guest],
    ['the admin of another business', 403, () => other.admin],
    ['the admin', 422, () => shop.admin],
  ] as [string, number, () => Person | undefined][])(
    'responds to a create by %s with %i',
    async (_who, status, as) => {
      expect((await t.rest('POST', products, { as: as(), body: wrong })).status).toBe(status);
    },
  );

  it('returns 404 to staff of another business for an existing product', async () => {
    const { body } = await t.rest<{ id: string }>('POST', products, {
      as: shop.admin,
      body: { name: 'Wall' },
    });
    for (const [method, payload] of [
      ['PUT', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const) {
      expect(
        (await t.rest(method, `${products}/${body.id}`, { as: other.admin, body: payload })).status,
      ).toBe(404);
      expect(
        (
          await t.rest(method, `/v1/businesses/${other.businessId}/products/${body.id}`, {
            as: other.admin,
            body: payload,
          })
        ).status,
      ).toBe(404);
      expect((await t.rest(method, `${products}/${body.id}`, { as: guest, body: payload })).status).toBe(403);
    }
    expect((await t.rest('GET', `${products}/${body.id}`, { as: guest })).body).toMatchObject({
      name: 'Wall',
      version: 1,
    });
  });
});
