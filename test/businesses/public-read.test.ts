/** Public reading of a storefront: clients without a token read published records of a business with `publicRead`, and nothing else. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { addProduct, createSellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let open: Shop;
let closed: Shop;

const read = (path: string) => t.rest('GET', path);
const setPublicRead = (shop: Shop, publicRead: boolean) =>
  t.rest('PUT', `/v1/businesses/${shop.businessId}`, { as: shop.admin, body: { publicRead } });

const storefrontPaths = [
  '',
  '/products',
  '/collections',
  '/entries',
  '/markets',
  '/shipping-methods',
] as const;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  [open, closed] = await Promise.all([createSellingShop(t), t.shop()]);
  await addProduct(t, open, { name: 'Visible' });
  expect((await setPublicRead(open, true)).body).toMatchObject({ publicRead: true });
});

describe('without a token', () => {
  it.each(storefrontPaths)('reads %s of a public storefront like a guest', async (path) => {
    const guest = await t.guest();
    const url = `/v1/businesses/${open.businessId}${path}`;
    const [anonymous, signedIn] = await Promise.all([read(url), t.rest('GET', url, { as: guest })]);
    expect([anonymous.status, anonymous.body]).toEqual([200, signedIn.body]);
  });

  it.each(storefrontPaths)('does not read %s of other businesses', async (path) => {
    for (const id of [closed.businessId, newId()]) {
      const { status, body } = await read(`/v1/businesses/${id}${path}`);
      expect([status, body]).toMatchObject([401, { error: 'UNAUTHENTICATED' }]);
    }
  });

  it.each(['/orders', '/roles', '/promo-codes', '/changes', '/members', '/webhooks'])(
    'does not read %s of a public storefront',
    async (path) => {
      expect((await read(`/v1/businesses/${open.businessId}${path}`)).status).toBe(401);
    },
  );

  it('sees published products only, by id and in lists', async () => {
    const [visible, draft] = await Promise.all([
      addProduct(t, open, { name: 'Published' }),
      addProduct(t, open, { name: 'Draft', status: 'DRAFT' }),
    ]);
    const at = `/v1/businesses/${open.businessId}/products`;
    expect([
      (await read(`${at}/${visible.productId}`)).status,
      (await read(`${at}/${draft.productId}`)).status,
    ]).toEqual([200, 404]);
    const list = await t.rest<{ items: { name: string }[] }>('GET', `${at}?limit=100`);
    const names = list.body.items.map(({ name }) => name);
    expect([names.includes('Published'), names.includes('Draft')]).toEqual([true, false]);
  });

  it('changes nothing', async () => {
    const at = `/v1/businesses/${open.businessId}`;
    expect((await t.rest('PUT', at, { body: { name: 'Taken' } })).status).toBe(401);
    expect((await t.rest('POST', `${at}/products`, { body: { name: 'X' } })).status).toBe(401);
  });

  it('reads two businesses of one GraphQL document separately', async () => {
    const { data, errors } = await t.graphql(
      `query Both($open: ID!, $closed: ID!) {
        open: products(businessId: $open) { nodes { id } }
        closed: product(businessId: $closed, id: "x") { id }
      }`,
      { open: open.businessId, closed: closed.businessId },
    );
    expect(data).toEqual({
      open: { nodes: expect.arrayContaining([{ id: expect.any(String) }]) },
      closed: null,
    });
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['closed'], 'UNAUTHENTICATED'],
    ]);
  });
});

it('ends when the business turns it off', async () => {
  const shop = await t.shop();
  const url = `/v1/businesses/${shop.businessId}/products`;
  await setPublicRead(shop, true);
  const before = await read(url);
  await setPublicRead(shop, false);
  expect([before.status, (await read(url)).status]).toEqual([200, 401]);
});

it('is off by default, and only an admin sets it', async () => {
  const guest = await t.guest();
  const at = `/v1/businesses/${closed.businessId}`;
  expect((await t.rest('GET', at, { as: guest })).body).toMatchObject({ publicRead: false });
  expect((await t.rest('PUT', at, { as: guest, body: { publicRead: true } })).status).toBe(403);
  const invalid = await t.rest('PUT', at, { as: closed.admin, body: { publicRead: 'yes' } });
  expect([invalid.status, invalid.body]).toMatchObject([422, { details: [{ field: 'publicRead' }] }]);
});
