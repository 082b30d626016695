/** Deprecated fields of a response: selecting one with `?fields=` sets the Deprecation and Sunset headers. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

/** The schema has no deprecated response fields; this test adds some. */
const deprecatedFields = vi.hoisted(() => {
  vi.resetModules();
  return {
    'Product.category': { since: '2026-11-15', reason: 'Use another.' },
    'Variant.sku': { since: '2026-11-01', sunset: '2027-06-01', reason: 'Use another.' },
  };
});
vi.mock('../../src/graphql/schema/deprecations.ts', async (original) => {
  const { deprecations, ...others } =
    await original<typeof import('../../src/graphql/schema/deprecations.ts')>();
  const all = { ...deprecations, ...deprecatedFields };
  return {
    ...others,
    deprecations: all,
    isDeprecatedCoordinate: (coordinate: string) => Object.hasOwn(all, coordinate),
  };
});

let t: TestApp;
let shop: Shop;
let products: string;
beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
  products = `/v1/businesses/${shop.businessId}/products`;
  const body = { name: 'Cup', category: 'Cups', variants: [{ name: 'S', sku: 'CUP-S' }] };
  await t.rest('POST', products, { as: shop.admin, body });
});
afterAll(() => {
  vi.doUnmock('../../src/graphql/schema/deprecations.ts');
  vi.resetModules();
});

it.each([
  ['', null, null],
  ['?fields=name', null, null],
  ['?fields=name,variants.name', null, null],
  ['?fields=name,category', '@1794700800', null],
  ['?fields=variants.sku', '@1793491200', 'Tue, 01 Jun 2027 00:00:00 GMT'],
  ['?fields=category,variants', '@1793491200', 'Tue, 01 Jun 2027 00:00:00 GMT'],
])('%s', async (query, deprecation, sunset) => {
  // Four rounds, so that the response is cached.
  for (let round = 0; round < 4; round += 1) {
    const { status, headers } = await t.app.fetch(
      new Request(`http://duet.test${products}${query}`, {
        headers: { authorization: `Bearer ${shop.admin.token}` },
      }),
    );
    expect([status, headers.get('deprecation'), headers.get('sunset')]).toEqual([200, deprecation, sunset]);
  }
});
