/** Documents that lack a field are read with its default in both protocols; every typed table selects existing columns. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../src/db/records/typed-table.ts';
import { collectionTable } from '../../src/domains/collections/model.ts';
import { entryTable } from '../../src/domains/entries/model.ts';
import { subscriptionTable } from '../../src/domains/newsletter/model.ts';
import { orderTable } from '../../src/domains/orders/model.ts';
import { productTable, variantStockTable } from '../../src/domains/products/model.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
});

it.each([
  ['products', productTable],
  ['stock', variantStockTable],
  ['orders', orderTable],
  ['collections', collectionTable],
  ['entries', entryTable],
  ['subscriptions', subscriptionTable],
])('selects existing columns: %s', async (_name, table: Pick<Table<never>, 'columns' | 'from'>) => {
  expect(await t.db.sql(`select ${table.columns} from ${table.from} limit 0`)).toEqual([]);
});

describe('a product whose document lacks a field', () => {
  const media = { url: 'https://images.example/a.jpg', mimeType: 'image/jpeg' };
  const defaults = {
    description: '',
    gallery: [],
    blocks: [],
    variants: [{ name: '', attributes: [], pricing: { markets: [] } }],
  };
  let id: string;

  beforeAll(async () => {
    const { body } = await t.rest<{ id: string; variants: { id: string }[] }>(
      'POST',
      `/v1/businesses/${shop.businessId}/products`,
      {
        as: shop.admin,
        body: {
          name: 'Old lamp',
          description: 'Bright.',
          gallery: [media],
          variants: [{ name: 'Small', sku: 'LAMP', inventory: { quantity: 3 } }],
        },
      },
    );
    id = body.id;
    // As an older version of the gateway might have written it: only the id of the variant.
    await t.db.write('update products set document = $2::jsonb, version = version + 1 where id = $1', [
      id,
      JSON.stringify({ variants: [{ id: body.variants[0]?.id }] }),
    ]);
  });

  it('has its default in REST', async () => {
    const single = await t.rest('GET', `/v1/businesses/${shop.businessId}/products/${id}`, {
      as: shop.admin,
    });
    expect([single.status, single.body]).toMatchObject([200, { name: 'Old lamp', ...defaults }]);
    const list = await t.rest('GET', `/v1/businesses/${shop.businessId}/products`, { as: shop.admin });
    expect(list.body).toMatchObject({ items: [{ id, ...defaults }] });
  });

  it('has its default in GraphQL', async () => {
    const { data, errors } = await t.graphql(
      `query ($businessId: ID!, $id: ID!) {
        product(businessId: $businessId, id: $id) {
          description gallery { url } blocks { id: key }
          variants { name sku attributes { name } pricing { markets { price } } gallery { url } inventory { quantity } }
        }
      }`,
      { businessId: shop.businessId, id },
      { as: shop.admin },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      product: {
        ...defaults,
        variants: [{ ...defaults.variants[0], sku: 'LAMP', gallery: null, inventory: { quantity: 3 } }],
      },
    });
  });

  it('can be changed, and is then stored with all fields', async () => {
    const path = `/v1/businesses/${shop.businessId}/products/${id}`;
    const { status, body } = await t.rest('PUT', path, { as: shop.admin, body: { name: 'New lamp' } });
    expect([status, body]).toMatchObject([200, { name: 'New lamp', ...defaults }]);
    const [row] = await t.db.sql<{ document: object }>('select document from products where id = $1', [id]);
    expect(Object.keys(row?.document ?? {}).sort()).toEqual(['blocks', 'description', 'gallery', 'variants']);
  });
});
