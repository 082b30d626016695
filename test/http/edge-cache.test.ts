/** Shared caches: which responses they may store, with which keys, and the purges that follow every change. */

import { readFileSync } from 'node:fs';
import { type GraphQLObjectType, getNamedType } from 'graphql';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpEdgeCache } from '../../src/adapters/edge-cache/http.ts';
import type { Context } from '../../src/context.ts';
import { isStorefrontScope } from '../../src/graphql/schema/auth-scopes.ts';
import { newId } from '../../src/lib/ids.ts';
import { sendEdgeCachePurges, toPurgedKeys } from '../../src/maintenance/send-edge-cache-purges.ts';
import { getProtocolHandlersOfProcess } from '../../src/rest/document-preparer-and-rest-handler-per-process.ts';
import { getPothosFieldOptions } from '../../src/vendor/pothos/field-extensions.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { type HttpReceiver, startHttpReceiver } from '../support/http-receiver.ts';
import { addProduct, createSellingShop, type SoldProduct } from '../support/shop-fixtures.ts';

let t: TestApp;
let cache: HttpReceiver;
let shop: Shop;
let closed: Shop;
let product: SoldProduct;
let at: string;

const update = (id: string, body: object) =>
  t.rest('PUT', `/v1/businesses/${id}`, { as: id === shop.businessId ? shop.admin : closed.admin, body });
const documents = JSON.parse(readFileSync('schema/documents.json', 'utf8')) as Record<string, string>;
const documentUrl = (name: string, variables: object) => {
  const id = Object.keys(documents).find(
    (key) => documents[key]?.match(/^query \w+/gm)?.join() === `query ${name}`,
  );
  return `/graphql?documentId=${id}&variables=${encodeURIComponent(JSON.stringify(variables))}`;
};
const tagsOf = (headers: Headers) => headers.get('xkey')?.split(' ').sort();

beforeAll(async () => {
  cache = await startHttpReceiver();
  t = await testApp({
    RATE_LIMIT: 'on',
    CACHE_PURGE_URL: cache.url,
    CACHE_PURGE_TOKEN: 'secret',
    EDGE_CACHE_STALE_SECONDS: '10',
  });
  [shop, closed] = await Promise.all([createSellingShop(t), t.shop()]);
  at = `/v1/businesses/${shop.businessId}`;
  await update(shop.businessId, { publicRead: true });
  product = await addProduct(t, shop, { name: 'Teapot', stock: 3 });
});

describe('responses', () => {
  it.each<[string, () => [url: string, tags: string[]]]>([
    ['a product by id', () => [`${at}/products/${product.productId}`, [product.productId]]],
    ['a product by slug', () => [`${at}/products/teapot`, [`${shop.businessId}.products`]]],
    ['products', () => [`${at}/products`, [`${shop.businessId}.products`]]],
    ['the business', () => [at, []]],
    ['markets', () => [`${at}/markets`, []]],
    ['entries', () => [`${at}/entries`, [`${shop.businessId}.entries`]]],
    [
      'a document',
      () => [
        documentUrl('GetProduct', { businessId: shop.businessId, id: product.productId }),
        [product.productId],
      ],
    ],
  ])('of %s may be stored, three times the same', async (_, target) => {
    const [url, tags] = target();
    const bodies = new Set<string>();
    for (let run = 0; run < 4; run += 1) {
      const { status, headers, body } = await t.rest('GET', url, { headers: { 'x-request-id': 'mine' } });
      expect([status, headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=0, s-maxage=60, stale-while-revalidate=10',
      ]);
      expect(tagsOf(headers)).toEqual([shop.businessId, ...tags].sort());
      expect(headers.get('vary')).toContain('Authorization, X-API-Key');
      expect([...headers.keys()].filter((name) => /^ratelimit/.test(name))).toEqual([]);
      expect(headers.get('x-request-id')).not.toBe('mine');
      bodies.add(`${headers.get('etag')} ${JSON.stringify(body)}`);
    }
    expect(bodies.size).toBe(1);
    const [current] = [...bodies][0]?.split(' ') ?? [];
    const { status, headers } = await t.rest('GET', url, { headers: { 'if-none-match': current ?? '' } });
    const isList = /s$/.test(url);
    expect([status, headers.get('cache-control')?.slice(0, 6), tagsOf(headers)?.length]).toEqual([
      isList ? 200 : 304,
      'public',
      tags.length + 1,
    ]);
  });

  it.each<[string, () => [url: string, headers?: Record<string, string>]]>([
    ['of a business without publicRead', () => [`/v1/businesses/${closed.businessId}/products`]],
    ['of a record that does not exist', () => [`${at}/products/${newId()}`]],
    ['with validation errors', () => [`${at}/products?minPrice=x`]],
    ['with a token', () => [`${at}/products`, { authorization: `Bearer ${shop.admin.token}` }]],
    ['with an invalid token', () => [`${at}/products`, { authorization: 'Bearer x' }]],
    ['with an API key', () => [`${at}/products`, { 'x-api-key': 'x' }]],
    ['with a consistency token', () => [`${at}/products`, { 'x-consistency-token': '0/0' }]],
    ['that need a token', () => [`${at}/orders`]],
    [
      'of a text in the URL',
      () => [`/graphql?query={products(businessId:"${shop.businessId}"){totalCount}}`],
    ],
    ['with errors', () => [documentUrl('GetProduct', { businessId: closed.businessId, id: 'x' })]],
  ])('%s may not be stored', async (_, target) => {
    const [url, headers] = target();
    const response = await t.rest('GET', url, headers ? { headers } : {});
    expect(response.headers.get('cache-control')).toMatch(/^(?:no-store|private, no-cache)$/);
    expect([response.headers.get('xkey'), response.headers.get('x-request-id')]).toEqual([
      null,
      expect.any(String),
    ]);
  });

  it('of GraphQL by POST may not be stored', async () => {
    const { headers } = await t.graphql(`{ products(businessId: "${shop.businessId}") { totalCount } }`);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('of every root field of the storefront consist of records that purge something', () => {
    const { schema } = getProtocolHandlersOfProcess(true).preparer;
    const fields = Object.values((schema.getQueryType() as GraphQLObjectType<unknown, Context>).getFields());
    const types = fields
      .filter((field) => isStorefrontScope(getPothosFieldOptions(field)?.authScopes))
      .map(({ type }) => getNamedType(type).name);
    // A new type needs a trigger in prisma/migrations, and an entry in src/graphql/schema/storefront-surrogate-keys.ts or here.
    const byBusiness = ['Branding', 'Business', 'Market', 'ShippingMethod', 'Collection', 'Category'];
    const connections = ['Market', 'ShippingMethod', 'Collection', 'Category'].map(
      (name) => `${name}Connection`,
    );
    const byRecord = ['Product', 'ProductConnection', 'Suggestion', 'Entry', 'EntryConnection'];
    expect([...new Set(types)].sort()).toEqual([...byBusiness, ...connections, ...byRecord].sort());
  });
});

describe('purges', () => {
  const send = () => sendEdgeCachePurges(t.app.services);
  const purged = () =>
    cache.received.flatMap(({ headers }) => String(headers['xkey-purge']).split(' ')).sort();
  const waiting = async () => (await t.db.sql<{ key: string }>('select key from cache_purges', [])).length;

  beforeEach(async () => {
    await t.db.write('delete from cache_purges', []);
    cache.received.length = 0;
  });

  it.each<[string, () => Promise<unknown>, () => string[]]>([
    [
      'a product',
      () =>
        t.rest('PUT', `${at}/products/${product.productId}`, {
          as: shop.admin,
          body: { name: 'Big teapot' },
        }),
      () => [product.productId, `${shop.businessId}.products`],
    ],
    [
      'stock',
      () => t.db.write('update variants set quantity = 2 where id = $1', [product.variantId]),
      () => [product.productId, `${shop.businessId}.products`],
    ],
    [
      'a market',
      () => t.rest('PUT', `${at}/markets/us`, { as: shop.admin, body: { taxBps: 100 } }),
      () => [shop.businessId],
    ],
    [
      'the branding',
      () => t.rest('PATCH', `${at}/branding`, { as: shop.admin, body: { accent: '#123456' } }),
      () => [shop.businessId],
    ],
    ['the business', () => update(shop.businessId, { name: 'Renamed' }), () => [shop.businessId]],
  ])('follow a change of %s', async (_, change, keys) => {
    await change();
    await send();
    expect(purged()).toEqual(keys().sort());
    expect(cache.received[0]).toMatchObject({ method: 'PURGE', headers: { authorization: 'Bearer secret' } });
  });

  it('are not written for a change that is rolled back, or in a business without publicRead', async () => {
    await addProduct(t, closed);
    await t.db
      .transaction(async (tx) => {
        await tx.sql('update products set name = $1 where id = $2', ['X', product.productId]);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect(await waiting()).toBe(0);
  });

  it('are retried until the cache confirms them, by the job within a second of the change', async () => {
    cache.statuses.push(503);
    await update(shop.businessId, { name: 'Renamed again' });
    const before = await waiting();
    await expect(send()).rejects.toThrow('status 503');
    expect(await waiting()).toBe(before);
    await t.app.start();
    await expect.poll(() => cache.received.length, { timeout: 10_000 }).toBeGreaterThan(1);
    // The second purge of the business is due 15 seconds later.
    await expect.poll(waiting).toBe(1);
  });

  it('remove a business from the cache when it ends publicRead, now and after running requests', async () => {
    await update(closed.businessId, { publicRead: true });
    expect(await waiting()).toBe(0);
    await update(closed.businessId, { publicRead: false });
    await send();
    expect([purged(), await waiting()]).toEqual([[closed.businessId], 1]);
    await t.db.write('update cache_purges set send_at = 0', []);
    await send();
    expect([purged(), await waiting()]).toEqual([[closed.businessId, closed.businessId], 0]);
  });

  it('of many records are one purge of their business', () => {
    const due = Array.from({ length: 300 }, (_, index) => ({ businessId: 'a', key: `a${index}` }));
    expect(toPurgedKeys([...due, { businessId: 'b', key: 'b1' }])).toEqual(['a', 'b1']);
  });

  it.each([
    ['fastly', 'POST', { 'fastly-key': 'secret' }, '{"surrogate_keys":["a","b"]}'],
    ['cloudflare', 'POST', { authorization: 'Bearer secret' }, '{"tags":["a","b"]}'],
  ] as const)('have the form of %s', async (form, method, headers, body) => {
    await createHttpEdgeCache({ form, urls: [cache.url], token: 'secret' }).purge(['a', 'b']);
    expect(cache.received).toMatchObject([{ method, headers, body }]);
  });
});
