/** Subscriptions to stock, and GraphQL rules of subscriptions: cost, variables, content negotiation, limits. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { defaultLiveOptions } from '../../src/live/live-updates.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { addProduct } from '../support/shop-fixtures.ts';
import { type EventStream, streamErrorCodes } from '../support/sse-client.ts';
import {
  checkOut,
  customer,
  open,
  orderDocument,
  quantitiesOf,
  setStatus,
  setStock,
  shop,
  statusesOf,
  t,
  watchOrder,
  watchStock,
  within,
} from './setup.ts';

describe('stock', () => {
  it('is sent initially, after a checkout, and after a cancellation', async () => {
    const cup = await addProduct(t, shop, { stock: 5, low: 3, name: 'Cup' });
    const guest = await t.guest();
    const stream = await watchStock(cup.productId, guest);
    const level = (quantity: number, isLow: boolean) => ({
      data: {
        stockChanged: {
          ...cup,
          sku: expect.stringMatching(/^SKU-/),
          inventory: { tracked: true, quantity, lowStockThreshold: 3, isLow },
        },
      },
    });
    await expect.poll(() => stream.received, within).toEqual([level(5, false)]);
    const { body } = await checkOut([{ ...cup, quantity: 2 }], guest);
    await expect.poll(() => stream.received, within).toEqual([level(5, false), level(3, true)]);
    await setStatus(body.orderId, 'CANCELLED');
    await expect
      .poll(() => stream.received, within)
      .toEqual([level(5, false), level(3, true), level(5, false)]);
  });

  it('is sent per variant, and only for changed ones', async () => {
    const { body } = await t.rest<{ id: string; variants: { id: string; name: string }[] }>(
      'POST',
      `/v1/businesses/${shop.businessId}/products`,
      {
        as: shop.admin,
        body: {
          name: 'Cup',
          slug: `cup-${newId()}`,
          variants: ['S', 'M', 'L'].map((name) => ({
            name,
            pricing: { markets: [{ marketId: 'us', currency: 'USD', price: 100 }] },
            inventory: { tracked: true, quantity: 10 },
          })),
        },
      },
    );
    const bySlug = await t.rest<{ slug: string }>(
      'GET',
      `/v1/businesses/${shop.businessId}/products/${body.id}`,
      { as: shop.admin },
    );
    const guest = await t.guest();
    const [ofProduct, ofBusiness] = [
      await watchStock(bySlug.body.slug, guest),
      await watchStock(null, guest),
    ];
    await expect.poll(() => quantitiesOf(ofProduct), within).toEqual([10, 10, 10]);
    const [small, , large] = body.variants;
    await checkOut(
      [small, large].map((variant) => ({ productId: body.id, variantId: variant?.id ?? '', quantity: 1 })),
      guest,
    );
    const changed = (stream: EventStream) =>
      stream.received
        .map(({ data }) => data?.stockChanged as { variantId: string; inventory: { quantity: number } })
        .filter(({ inventory }) => inventory.quantity === 9)
        .map(({ variantId }) => variantId);
    await expect.poll(() => changed(ofProduct), within).toEqual([small?.id, large?.id]);
    await expect.poll(() => changed(ofBusiness), within).toEqual([small?.id, large?.id]);
    expect([ofProduct.received.length, ofBusiness.received.length]).toEqual([5, 2]);
  });

  it('combines rapid changes into few events that end with the last level', async () => {
    const cup = await addProduct(t, shop, { stock: 1000 });
    const stream = await watchStock(cup.productId, await t.guest());
    await expect.poll(() => quantitiesOf(stream), within).toEqual([1000]);
    for (let quantity = 999; quantity >= 900; quantity--)
      await t.db.transaction(async (tx) => {
        await tx.write('update variants set quantity = $2 where id = $1', [cup.variantId, quantity]);
        await tx.write('update products set version = version + 1 where id = $1', [cup.productId]);
      });
    await expect.poll(() => quantitiesOf(stream).at(-1), within).toBe(900);
    expect(stream.received.length).toBeLessThan(100);
    const quantities = quantitiesOf(stream);
    expect(quantities).toEqual([...quantities].sort((a, b) => (b ?? 0) - (a ?? 0)));
  });

  it('is not sent for other changes of the product', async () => {
    const cup = await addProduct(t, shop, { stock: 7 });
    const stream = await watchStock(cup.productId, await t.guest());
    await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/${cup.productId}`, {
      as: shop.admin,
      body: { name: 'Another name' },
    });
    await setStock(cup, 7, shop, {});
    await setStock(cup, 6, shop, {});
    await expect.poll(() => quantitiesOf(stream), within).toEqual([7, 6]);
  });
});

describe('GraphQL rules', () => {
  it('limit the cost, validate variables and reject two root fields', async () => {
    const wide = `subscription ($b: ID!) { orderChanged(businessId: $b) { ${Array.from({ length: 1001 }, (_item, n) => `a${n}: id`).join(' ')} } }`;
    for (const [query, variables] of [
      [wide, { b: shop.businessId }],
      [orderDocument, {}],
      ['subscription { orderChanged(businessId: "x") { id } stockChanged(businessId: "x") { sku } }', {}],
    ] as const) {
      const stream = await open(t, query, variables, { as: shop.admin });
      await expect.poll(() => stream.state, within).toBe('complete');
      expect(streamErrorCodes(stream)[0]).toMatch(/BAD_REQUEST|VALIDATION_FAILED/);
    }
  });

  it('reject clients that accept only a single response', async () => {
    const answer = await t.graphql(
      orderDocument,
      { b: shop.businessId },
      { as: shop.admin, headers: { accept: 'application/json' } },
    );
    expect(answer).toMatchObject({
      status: 200,
      errors: [
        {
          message: expect.stringContaining('text/event-stream'),
          extensions: { code: 'BAD_REQUEST', details: [] },
        },
      ],
    });
    expect(t.app.services.live.state.watching).toBe(0);
  });

  it.each(['*/*', 'text/*;q=0.5', 'multipart/mixed, application/json, text/event-stream'])(
    'respond to Accept: %s with an event stream',
    async (accept) => {
      const stream = await open(
        t,
        orderDocument,
        { b: shop.businessId },
        { as: shop.admin, headers: { accept } },
      );
      expect(stream.headers.get('content-type')).toBe('text/event-stream');
    },
  );

  it('allow 100 subscriptions per account', async () => {
    const streams = await Promise.all(
      Array.from({ length: defaultLiveOptions.perUser }, () => watchOrder(null, shop.admin)),
    );
    expect(t.app.services.live.state.watching).toBe(defaultLiveOptions.perUser);
    const rejected = await watchOrder(null, shop.admin);
    await expect.poll(() => streamErrorCodes(rejected), within).toEqual(['RATE_LIMITED']);
    await streams[0]?.close();
    await expect.poll(() => t.app.services.live.state.watching).toBe(defaultLiveOptions.perUser - 1);
    const accepted = await watchOrder(null, shop.admin);
    await createEmptyOrder(t, shop, customer);
    await expect.poll(() => statusesOf(accepted), within).toEqual(['PENDING']);
    await expect.poll(() => streams.filter(({ received }) => received.length === 1).length, within).toBe(99);
  });
});
