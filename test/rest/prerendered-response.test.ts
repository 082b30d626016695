/** REST responses from cached JSON are identical, headers and bytes, to those of an executed operation. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let guest: Person;
const paths: Record<string, string> = {};

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  [shop, guest] = await Promise.all([t.shop(), t.guest()]);
  const base = `/v1/businesses/${shop.businessId}`;
  const create = async (kind: string, body: object) => {
    const created = await t.rest<{ id: string }>('POST', `${base}/${kind}`, { as: shop.admin, body });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    return created.body.id;
  };
  const product = await create('products', {
    name: 'Ünïcödé 日本語 "x"',
    slug: 'odd',
    blocks: [{ id: 'b', type: 'TEXT', value: { en: 'x', de: null }, settings: { maxLength: 9 } }],
    variants: [{ name: 'S', pricing: { markets: [{ marketId: 'US', currency: 'USD', price: 100 }] } }],
  });
  for (const name of ['a', 'b', 'c']) await create('products', { name });
  const published = [{ id: '1', status: 'PUBLISHED' }];
  const collectionId = await create('collections', { name: 'News', slug: 'news', statuses: published });
  const entry = await create('entries', { collectionId, locale: 'en', statuses: published });
  Object.assign(paths, {
    'a product': `${base}/products/${product}`,
    'a product by slug': `${base}/products/odd`,
    'a page of products': `${base}/products?limit=2`,
    'the last page': `${base}/products?limit=50`,
    'a filtered page': `${base}/products?ids=${product}`,
    'a collection': `${base}/collections/${collectionId}`,
    'a collection by slug': `${base}/collections/news`,
    collections: `${base}/collections`,
    'an entry': `${base}/entries/${entry}`,
    entries: `${base}/entries`,
    'a missing record': `${base}/products/nowhere`,
    'a bad limit': `${base}/products?limit=0`,
    'a forged cursor': `${base}/products?cursor=forged`,
    'a filter for staff only': `${base}/products?lowStock=true`,
  });
});

const fetchPath = async (path: string, as: Person, headers: Record<string, string> = {}, method = 'GET') => {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { authorization: `Bearer ${as.token}`, 'x-request-id': 'same', ...headers },
  });
  const response = await t.app.fetch(request);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
};

describe.each([
  'a product',
  'a product by slug',
  'a page of products',
  'the last page',
  'a filtered page',
  'a collection',
  'a collection by slug',
  'collections',
  'an entry',
  'entries',
  'a missing record',
  'a bad limit',
  'a forged cursor',
  'a filter for staff only',
])('%s', (name) => {
  it.each(['guest', 'staff'])('is the same in every round for a %s viewer', async (viewer) => {
    const as = viewer === 'guest' ? guest : shop.admin;
    // The first requests are executed, the next ones rendered, the last ones memoized.
    const first = await fetchPath(paths[name] as string, as);
    for (let round = 0; round < 4; round += 1)
      expect(await fetchPath(paths[name] as string, as)).toEqual(first);
    const { etag } = first.headers;
    if (etag === undefined) return;
    const unchanged = await fetchPath(paths[name] as string, as, { 'if-none-match': etag });
    expect(unchanged).toMatchObject({ status: 304, body: '', headers: { etag } });
    const head = await fetchPath(paths[name] as string, as, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, headers: { etag } });
  });
});

it('returns a change in its response and in all following reads', async () => {
  const path = paths['a product'] as string;
  const before = await fetchPath(path, guest);
  const changed = await t.rest<{ version: number }>('PUT', path, {
    as: shop.admin,
    body: { name: 'Changed' },
  });
  const after = await fetchPath(path, shop.admin, { 'if-none-match': String(before.headers.etag) });
  expect(after).toMatchObject({ status: 200, body: JSON.stringify(changed.body) });
  expect(after.headers.etag).toMatch(new RegExp(`^"${changed.body.version}-`));
  const list = await fetchPath(paths['the last page'] as string, guest);
  expect(JSON.parse(list.body).items).toContainEqual(JSON.parse((await fetchPath(path, guest)).body));
});
