/** Changes of products: what is kept, what is refused, and who is believed. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { create, guest, type Item, list, pathOf, shop, t } from './setup.ts';

describe('changes', () => {
  it('changes only what is sent, keeps the identity of kept variants, and drops the others', async () => {
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
  ])('keeps the stock of a kept variant of which the list says %s', async (_what, said, inventory) => {
    const { id, variants } = await create({
      name: 'Kept',
      variants: [{ inventory: { quantity: 7, lowStockThreshold: 2 } }],
    });
    const kept = { id: variants[0]?.id, name: 'Renamed', ...(said === undefined ? {} : { inventory: said }) };
    const path = `${pathOf(shop)}/${id}`;
    const changed = await t.rest<Item>('PUT', path, { as: shop.admin, body: { variants: [kept] } });
    expect([changed.status, changed.body.variants]).toMatchObject([200, [{ name: 'Renamed', inventory }]]);
    expect(changed.body.variants[0]?.inventory).toEqual(inventory);
    expect((await t.rest('GET', path, { as: shop.admin })).body).toEqual(changed.body);
  });

  it('is read by a slug that it had, until another has it, and written by its own alone', async () => {
    const [first, second] = [`first-${newId()}`, `second-${newId()}`];
    const { id } = await create({ name: 'Moved', slug: first, status: 'ACTIVE' });
    const rename = (slug: string, of = id) =>
      t.rest<Item>('PUT', `${pathOf(shop)}/${of}`, { as: shop.admin, body: { slug } });
    const { body: moved } = await rename(second);
    const read = (slug: string, as: Person = guest, at = shop) =>
      t.rest<Item>('GET', `${pathOf(at)}/${slug}`, { as });
    expect([(await read(first)).body.id, (await read(first, shop.admin)).body]).toEqual([id, moved]);
    expect((await read(`${shop.businessId}:en:${first}`)).body.id).toBe(id);
    const asked = await t.graphql(
      'query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id slug } }',
      { b: shop.businessId, id: first },
      { as: guest },
    );
    expect(asked.data).toEqual({ product: { id, slug: second } });
    for (const method of ['PUT', 'DELETE'] as const)
      expect(
        (await t.rest(method, `${pathOf(shop)}/${first}`, { as: shop.admin, body: { name: 'X' } })).status,
      ).toBe(404);
    const elsewhere = await t.shop();
    expect((await read(first, elsewhere.admin, elsewhere)).status).toBe(404);
    // Whoever takes it over comes first, for those who may see them.
    const taker = await create({ name: 'Taker', slug: first, status: 'DRAFT' });
    expect([(await read(first)).body.id, (await read(first, shop.admin)).body.id]).toEqual([id, taker.id]);
    await rename(`third-${newId()}`, taker.id);
    expect([(await read(first)).body.id, (await read(first, shop.admin)).body.id]).toEqual([id, taker.id]);
    await rename(first);
    expect((await read(second)).body.slug).toBe(first);
    await t.rest('DELETE', `${pathOf(shop)}/${id}`, { as: shop.admin });
    expect((await read(second)).status).toBe(404);
  });

  it('refuses a variant of another product, and SKUs and slugs that are taken', async () => {
    const one = await create({ name: 'One', slug: `one-${newId()}`, variants: [{ sku: `S-${newId()}` }] });
    const two = await create({ name: 'Two', variants: [{ sku: `S-${newId()}` }] });
    const attempts: [object, string, string][] = [
      [{ variants: [{ id: one.variants[0]?.id }] }, 'variants.0.id', 'VARIANT_NOT_FOUND'],
      [{ variants: [{ name: 'new' }, { sku: one.variants[0]?.sku }] }, 'variants.1.sku', 'SKU_TAKEN'],
      [{ slug: one.slug }, 'slug', 'SLUG_TAKEN'],
    ];
    for (const [body, field, error] of attempts) {
      const answer = await t.rest('PUT', `${pathOf(shop)}/${two.id}`, { as: shop.admin, body });
      expect([answer.status, answer.body]).toMatchObject([422, { details: [{ field, error }] }]);
    }
    const created = await t.rest('POST', pathOf(shop), {
      as: shop.admin,
      body: { name: 'Three', variants: [{ sku: one.variants[0]?.sku }] },
    });
    expect([created.status, created.body]).toMatchObject([
      422,
      { details: [{ field: 'variants.0.sku', error: 'SKU_TAKEN' }] },
    ]);
    expect((await t.rest<Item>('GET', `${pathOf(shop)}/${two.id}`, { as: shop.admin })).body).toEqual(two);
  });

  it.each([
    ['negative price', { price: -1 }, 'TOO_SMALL'],
    ['fractional price', { price: 1.5 }, 'INVALID_TYPE'],
    ['huge price', { price: 2 ** 53 }, 'INVALID_TYPE'],
    ['price as string', { price: '5' }, 'INVALID_TYPE'],
    ['missing price', {}, 'REQUIRED'],
  ])('refuses a %s', async (_what, price, error) => {
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

  it('refuses 5,001 prices, however they are spread over variants', async () => {
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

  it('refuses 10,000 variants and scripts as addresses', async () => {
    const many = await t.rest('POST', pathOf(shop), {
      as: shop.admin,
      body: { name: 'X', variants: Array.from({ length: 10_000 }, () => ({})) },
    });
    expect([many.status, many.body]).toMatchObject([
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

  it('appends to the status history what is new, and believes only API keys about who and when', async () => {
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
    const same = await t.rest<Item>('PUT', path, {
      as: shop.admin,
      body: { statuses: product.statuses, status: 'DRAFT' },
    });
    expect(same.body.statuses).toEqual(product.statuses);
    const key = await t.withApiKey(shop.admin);
    const told = await t.rest<Item>('PUT', path, {
      as: key,
      body: { statuses: [...product.statuses, { status: 'ACTIVE', changedBy: 'SYSTEM', timestamp: 5 }] },
    });
    expect(told.body.statuses).toEqual([
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

  it('shows every process the version that is current', async () => {
    const product = await create({ name: 'Fresh', variants: [{ inventory: { quantity: 9 } }] });
    const path = `${pathOf(shop)}/${product.id}`;
    await t.rest('GET', path, { as: guest });
    // Another process sells one: the row is the lock, and the version moves with the stock.
    await t.db.sql('update variants set quantity = quantity - 1 where product_id = $1', [product.id]);
    await t.db.sql('update products set version = version + 1 where id = $1', [product.id]);
    expect((await t.rest<Item>('GET', path, { as: guest })).body.variants[0]?.inventory.quantity).toBe(8);
    expect((await list(`ids=${product.id}`)).body.items[0]?.variants[0]?.inventory.quantity).toBe(8);
  });
});
