/** Webhook events of products, as a receiver sees them. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { base, call, receivedEvents, shop, t } from './events-setup.ts';

describe('products', () => {
  it('emit created, updated and deleted', async () => {
    const product = await call<{ id: string }>('POST', 'products', { name: 'Tea pot' });
    const orderData = {
      id: product.id,
      businessId: shop.businessId,
      slug: 'tea-pot',
      name: 'Tea pot',
      status: 'ACTIVE',
      version: 1,
    };
    expect(await receivedEvents()).toEqual([{ type: 'product.created', data: orderData }]);
    await call('PUT', `products/${product.id}`, { name: 'Kettle', status: 'DRAFT' });
    const changed = { ...orderData, name: 'Kettle', status: 'DRAFT', version: 2 };
    expect(await receivedEvents()).toEqual([{ type: 'product.updated', data: changed }]);
    await call('DELETE', `products/${product.id}`);
    expect(await receivedEvents()).toEqual([{ type: 'product.deleted', data: changed }]);
  });

  it('emit one event with the final slug when the requested slug is taken', async () => {
    await call('POST', 'products', { name: 'Twin' });
    await receivedEvents();
    const twin = await call<{ id: string; slug: string }>('POST', 'products', { name: 'Twin' });
    expect(await receivedEvents()).toEqual([
      { type: 'product.created', data: expect.objectContaining({ id: twin.id, slug: 'twin-2' }) },
    ]);
  });

  it('emit one event each when created concurrently, except for rejected ones', async () => {
    const bodies = [
      { name: 'Cup' },
      { name: 'Cup' },
      { name: 'Mug', slug: 'mug' },
      { name: 'Pot', slug: 'mug' },
    ];
    const responses = await Promise.all(
      bodies.map((body) => t.rest<{ id: string }>('POST', `${base}/products`, { as: shop.admin, body })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422]);
    const ids = responses.flatMap(({ status, body }) => (status === 200 ? body.id : []));
    const events = await receivedEvents();
    expect(events.map(({ type, data }) => [type, data.id]).sort()).toEqual(
      ids.map((id) => ['product.created', id]).sort(),
    );
  });

  it('emit one event per Idempotency-Key', async () => {
    const request = { as: shop.admin, headers: { 'idempotency-key': newId() }, body: { name: 'Keyed' } };
    for (let count = 0; count < 2; count += 1) await t.rest('POST', `${base}/products`, request);
    expect((await receivedEvents()).map(({ type }) => type)).toEqual(['product.created']);
  });

  it('emit nothing when rejected', async () => {
    const sku = newId();
    await call('POST', 'products', { name: 'Holder', slug: 'holder', variants: [{ sku }] });
    await receivedEvents();
    for (const body of [{ name: 'X', variants: [{ sku }] }, { name: 'X', slug: 'holder' }, {}])
      expect((await t.rest('POST', `${base}/products`, { as: shop.admin, body })).status).toBe(422);
    const stale = await t.rest('PUT', `${base}/products/holder`, {
      as: shop.admin,
      headers: { 'if-match': '"99"' },
      body: { name: 'Y' },
    });
    expect(stale.status).toBe(412);
    expect(await receivedEvents()).toEqual([]);
  });

  it('cost one statement without endpoints and one more with an endpoint', async () => {
    const silentShop = await t.shop();
    const statements = async (as: Person, businessId: string) => {
      await t.rest('GET', `/v1/businesses/${businessId}/products`, { as });
      t.statements.length = 0;
      await t.rest('POST', `/v1/businesses/${businessId}/products`, { as, body: { name: newId() } });
      return t.statements.filter((text) => /insert/i.test(text)).length;
    };
    expect(await statements(silentShop.admin, silentShop.businessId)).toBe(1);
    expect(await statements(shop.admin, shop.businessId)).toBe(2);
  });
});
