/** Updates of products: unchanged fields, validation, old slugs, and trusted status entries. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { create, guest, type Item, list, pathOf, shop, t } from './setup.ts';

describe('updateProduct', () => {
  it('updates only the fields in the input, matches variants by id, and removes the others', async () => {
    const product = await create({
      name: 'Mug',
      description: 'Old',
      variants: [
        { name: 'A', sku: newId() },
        { name: 'B', sku: newId() },
      ],
    });
    const [a, b] = product.variants as [Item['variants'][0], Item['variants'][0]];
    const path = `${pathOf(shop)}/${product.id}`;
    const changed = await t.rest<Item>('PUT', path, {
      as: shop.admin,
      body: { variants: [{ ...b, name: 'B2', sku: a.sku, inventory: { quantity: 4 } }, { name: 'C' }] },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      ...product,
      version: 2,
      updatedAt: expect.any(Number),
      variants: [
        { id: b.id, name: 'B2', sku: a.sku, inventory: { tracked: true, quantity: 4 } },
        { id: expect.any(String), name: 'C', inventory: { tracked: false, quantity: 0 } },
      ],
    });
    expect((await t.rest('GET', path, { as: shop.admin })).body).toEqual(changed.body);
    expect(
      (await t.rest('PUT', path, { as: shop.admin, body: { variants: [{ ...a }] } })).body,
    ).toMatchObject({
      details: [{ field: 'variants.0.id', error: 'VARIANT_NOT_FOUND' }],
    });
  });

  it.each([
    ['nothing', undefined, { tracked: true, quantity: 7, lowStockThreshold: 2 }],
    ['null', null, { tracked: true, quantity: 7, lowStockThreshold: 2 }],
    ['a threshold', { lowStockThreshold: 3 }, { tracked: true, quantity: 7, lowStockThreshold: 3 }],
    ['a quantity', { quantity: 5 }, { tracked: true, quantity: 5 }],
    ['no tracking', { tracked: false }, { tracked: false, quantity: 7 }],
  ])(
    'preserves omitted stock fields of a variant when the inventory has %s',
    async (_label, input, inventory) => {
      const { id, variants } = await create({
        name: 'Kept',
        variants: [{ inventory: { quantity: 7, lowStockThreshold: 2 } }],
      });
      const variant = {
        id: variants[0]?.id,
        name: 'Renamed',
        ...(input === undefined ? {} : { inventory: input }),
      };
      const path = `${pathOf(shop)}/${id}`;
      const changed = await t.rest<Item>('PUT', path, { as: shop.admin, body: { variants: [variant] } });
      expect([changed.status, changed.body.variants]).toMatchObject([200, [{ name: 'Renamed', inventory }]]);
      expect(changed.body.variants[0]?.inventory).toEqual(inventory);
      expect((await t.rest('GET', path, { as: shop.admin })).body).toEqual(changed.body);
    },
  );

  it('finds a product by a former slug until another product has it, and updates by the current slug only', async () => {
    const [first, second] = [`first-${newId()}`, `second-${newId()}`];
    const { id } = await create({ name: 'Moved', slug: first, status: 'ACTIVE' });
    const rename = (slug: string, of = id) =>
      t.rest<Item>('PUT', `${pathOf(shop)}/${of}`, { as: shop.admin, body: { slug } });
    const { body: moved } = await rename(second);
    const read = (slug: string, as: Person = guest, at = shop) =>
      t.rest<Item>('GET', `${pathOf(at)}/${slug}`, { as });
    expect([(await read(first)).body.id, (await read(first, shop.admin)).body]).toEqual([id, moved]);
    expect((await read(`${shop.businessId}:en:${first}`)).body.id).toBe(id);
    const viaGraphql = await t.graphql(
      'query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id slug } }',
      { b: shop.businessId, id: first },
      { as: guest },
    );
    expect(viaGraphql.data).toEqual({ product: { id, slug: second } });
    for (const method of ['PUT', 'DELETE'] as const)
      expect(
        (await t.rest(method, `${pathOf(shop)}/${first}`, { as: shop.admin, body: { name: 'X' } })).status,
      ).toBe(404);
    const elsewhere = await t.shop();
    expect((await read(first, elsewhere.admin, elsewhere)).status).toBe(404);
    // The new owner of the slug takes precedence, for viewers who may see it.
    const taker = await create({ name: 'Taker', slug: first, status: 'DRAFT' });
    expect([(await read(first)).body.id, (await read(first, shop.admin)).body.id]).toEqual([id, taker.id]);
    await rename(`third-${newId()}`, taker.id);
    expect([(await read(first)).body.id, (await read(first, shop.admin)).body.id]).toEqual([id, taker.id]);
    await rename(first);
    expect((await read(second)).body.slug).toBe(first);
    await t.rest('DELETE', `${pathOf(shop)}/${id}`, { as: shop.admin });
    expect((await read(second)).status).toBe(404);
  });

  it('rejects a variant of another product, and SKUs and slugs that are taken', async () => {
    const first = await create({ name: 'One', slug: `one-${newId()}`, variants: [{ sku: `S-${newId()}` }] });
    const second = await create({ name: 'Two', variants: [{ sku: `S-${newId()}` }] });
    const attempts: [object, string, string][] = [
      [{ variants: [{ id: first.variants[0]?.id }] }, 'variants.0.id', 'VARIANT_NOT_FOUND'],
      [{ variants: [{ name: 'new' }, { sku: first.variants[0]?.sku }] }, 'variants.1.sku', 'SKU_TAKEN'],
      [{ slug: first.slug }, 'slug', 'SLUG_TAKEN'],
    ];
    for (const [body, field, error] of attempts) {
      const answer = await t.rest('PUT', `${pathOf(shop)}/${second.id}`, { as: shop.admin, body });
      expect([answer.status, answer.body]).toMatchObject([422, { details: [{ field, error }] }]);
    }
    const created = await t.rest('POST', pathOf(shop), {
      as: shop.admin,
      body: { name: 'Three', variants: [{ sku: first.variants[0]?.sku }] },
    });
    expect([created.status, created.body]).toMatchObject([
      422,
      { details: [{ field: 'variants.0.sku', error: 'SKU_TAKEN' }] },
    ]);
    expect((await t.rest<Item>('GET', `${pathOf(shop)}/${second.id}`, { as: shop.admin })).body).toEqual(
      second,
    );
  });

  it.each([
    ['negative price', { price: -1 }, 'TOO_SMALL'],
    ['fractional price', { price: 1.5 }, 'INVALID_TYPE'],
    ['huge price', { price: 2 ** 53 }, 'INVALID_TYPE'],
    ['price as string', { price: '5' }, 'INVALID_TYPE'],
    ['missing price', {}, 'REQUIRED'],
  ])('rejects a %s', async (_label, price, error) => {
    const body = {
      name: 'X',
      variants: [{ pricing: { markets: [{ marketId: 'US', currency: 'USD', ...price }] } }],
    };
    const answer = await t.rest('POST', pathOf(shop), { as: shop.admin, body });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { details: [{ field: 'variants.0.pricing.markets.0.price', error }] },
    ]);
  });

  it('rejects 5,001 prices in total over all variants', async () => {
    const prices = (count: number) => ({
      pricing: {
        markets: Array.from({ length: count }, (_item, n) => ({
          marketId: `m${n}`,
          currency: 'EUR',
          price: 1,
        })),
      },
    });
    const variants = [...Array.from({ length: 25 }, () => prices(200)), prices(1)];
    const answer = await t.rest('POST', pathOf(shop), { as: shop.admin, body: { name: '', variants } });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      {
        details: [
          { field: 'name', error: 'TOO_SHORT' },
          { field: 'variants', error: 'TOO_LONG', message: 'Must have at most 5000 prices in all.' },
        ],
      },
    ]);
  });

  it('rejects 10,000 variants, and script URLs', async () => {
    const tooMany = await t.rest('POST', pathOf(shop), {
      as: shop.admin,
      body: { name: 'X', variants: Array.from({ length: 10_000 }, () => ({})) },
    });
    expect([tooMany.status, tooMany.body]).toMatchObject([
      422,
      { details: [{ field: 'variants', error: 'TOO_LONG' }] },
    ]);
    const script = await t.rest('POST', pathOf(shop), {
      as: shop.admin,
      body: {
        name: 'X',
        gallery: [
          { url: 'java\tscript:alert(1)', mimeType: 'a/b' },
          { url: 'data:text/html,x', mimeType: 'a/b' },
          { url: '/fine.jpg', mimeType: 'a/b' },
        ],
      },
    });
    expect([script.status, script.body]).toMatchObject([
      422,
      {
        details: [
          { field: 'gallery.0.url', error: 'INVALID_URL' },
          { field: 'gallery.1.url', error: 'INVALID_URL' },
        ],
      },
    ]);
  });

  it('appends new status entries, and accepts author and timestamp from API keys only', async () => {
    const product = await create({
      name: 'History',
      statuses: [{ id: 's1', status: 'DRAFT', changedBy: 'SYSTEM', timestamp: 5 }],
    });
    expect(product.statuses).toEqual([
      {
        id: 's1',
        status: 'DRAFT',
        changedBy: 'USER',
        userId: shop.admin.userId,
        timestamp: expect.any(Number),
      },
    ]);
    const path = `${pathOf(shop)}/${product.id}`;
    const unchanged = await t.rest<Item>('PUT', path, {
      as: shop.admin,
      body: { statuses: product.statuses, status: 'DRAFT' },
    });
    expect(unchanged.body.statuses).toEqual(product.statuses);
    const key = await t.withApiKey(shop.admin);
    const viaApiKey = await t.rest<Item>('PUT', path, {
      as: key,
      body: { statuses: [...product.statuses, { status: 'ACTIVE', changedBy: 'SYSTEM', timestamp: 5 }] },
    });
    expect(viaApiKey.body.statuses).toEqual([
      ...product.statuses,
      {
        id: expect.any(String),
        status: 'ACTIVE',
        changedBy: 'SYSTEM',
        userId: shop.admin.userId,
        timestamp: 5,
      },
    ]);
    expect((await t.rest('GET', path, { as: guest })).status).toBe(200);
    await t.rest('PUT', path, { as: shop.admin, body: { status: 'ARCHIVED' } });
    expect((await t.rest('GET', path, { as: guest })).status).toBe(404);
  });

  it('returns the current version after a change by another process', async () => {
    const product = await create({ name: 'Fresh', variants: [{ inventory: { quantity: 9 } }] });
    const path = `${pathOf(shop)}/${product.id}`;
    await t.rest('GET', path, { as: guest });
    // Simulates a sale by another process, which increments the version along with the stock.
    await t.db.write('update variants set quantity = quantity - 1 where product_id = $1', [product.id]);
    await t.db.write('update products set version = version + 1 where id = $1', [product.id]);
    expect((await t.rest<Item>('GET', path, { as: guest })).body.variants[0]?.inventory.quantity).toBe(8);
    expect((await list(`ids=${product.id}`)).body.items[0]?.variants[0]?.inventory.quantity).toBe(8);
  });
});
