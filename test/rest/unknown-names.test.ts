/** Unknown paths, fields and providers are named with the closest ones that exist. */
import { beforeAll, expect, it } from 'vitest';
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

it.each([
  ['/v1/businesses/b/product', ' Did you mean /v1/businesses/b/products?'],
  ['/v1/businesses/b/prodcts/teapot', ' Did you mean /v1/businesses/b/products/teapot?'],
  ['/v1/user/login', ' Did you mean /v1/users/login?'],
  ['/v1/usrs/logn', ''],
  ['/v1/nothing', ''],
  ['/businesses/b/products', ' REST paths begin with /v1.'],
  ['/v2/businesses/b/products', ' REST paths begin with /v1.'],
  ['/nothing', ''],
  [`/v1/businesses/b/${'x'.repeat(500)}`, ''],
])('suggests a path for %s', async (path, suggestion) => {
  const { status, body } = await t.rest<{ message: string }>('GET', path, { as: guest });
  expect([status, body.message]).toEqual([404, `There is no ${path}.${suggestion}`]);
});

it('suggests requested fields', async () => {
  const { body } = await t.rest('GET', `${products}?fields=nme,variants.skuu,colour`, { as: guest });
  expect(body).toMatchObject({
    details: [
      { field: 'fields', message: 'There is no field variants.skuu. Did you mean variants.sku?' },
      { field: 'fields', message: 'There is no field colour.' },
      { field: 'fields', message: 'There is no field nme. Did you mean name?' },
    ],
  });
});

it('lists the providers that exist', async () => {
  const { body } = await t.rest('POST', '/v1/users/login', { body: { provider: 'guest' } });
  expect(body).toMatchObject({ message: 'Unknown provider "guest". Must be one of EMAIL, GUEST.' });
});
