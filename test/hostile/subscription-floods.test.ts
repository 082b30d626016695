/** Subscriptions that change often: their events are charged to the budget of the payer and have its share of the connections. */
import { afterEach, describe, expect, it } from 'vitest';
import { defaultLiveOptions } from '../../src/live/live-updates.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { addProduct, createSellingShop, type SoldProduct } from '../support/shop-fixtures.ts';
import { type EventStream, openSubscription } from '../support/sse-client.ts';

const pacing = { ...defaultLiveOptions, paceMs: 10 };
const streams: EventStream[] = [];
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
});

async function subscribe(t: TestApp, document: string, as: Person): Promise<EventStream> {
  const stream = await openSubscription(t, document, {}, { as });
  streams.push(stream);
  return stream;
}

/** Costs 3 units. */
const stockDocument = (businessId: string, { productId }: SoldProduct) =>
  `subscription { stockChanged(businessId: "${businessId}", productId: "${productId}") { ${Array.from({ length: 250 }, (_, n) => `a${n}: sku`).join(' ')} } }`;

async function setQuantity(
  t: TestApp,
  { productId, variantId }: SoldProduct,
  quantity: number,
): Promise<void> {
  await t.db.transaction(async (tx) => {
    await tx.write('update variants set quantity = $2 where id = $1', [variantId, quantity]);
    await tx.write('update products set version = version + 1 where id = $1', [productId]);
  });
}

describe('events of a subscription', () => {
  it('are charged like the request that opened it', async () => {
    // So small that time of the database, which is a share of the budget, costs no unit.
    const t = await testApp({ REQUEST_BUDGET: '1000' }, pacing);
    const shop = await createSellingShop(t);
    const cup = await addProduct(t, shop, { stock: 1000 });
    const as = await t.person();
    const remaining = async () =>
      Number((await t.graphql('{ me { id } }', {}, { as })).headers.get('ratelimit-remaining'));
    const stream = await subscribe(t, stockDocument(shop.businessId, cup), as);
    await expect.poll(() => stream.received.length).toBe(1);
    const before = await remaining();
    for (let n = 1; n <= 5; n += 1) {
      await setQuantity(t, cup, 1000 - n);
      await expect.poll(() => stream.received.length).toBe(1 + n);
    }
    // Five events, and the request that reads the rest.
    expect(before - (await remaining())).toBeGreaterThanOrEqual(5 * 3 + 1);
  });

  it('wait while the budget is spent', async () => {
    const t = await testApp({ REQUEST_BUDGET: '20' }, pacing);
    const shop = await createSellingShop(t);
    const cup = await addProduct(t, shop, { stock: 1000 });
    const stream = await subscribe(t, stockDocument(shop.businessId, cup), await t.person());
    for (let n = 1; n <= 20; n += 1) {
      const { length } = stream.received;
      await setQuantity(t, cup, 1000 - n);
      await expect
        .poll(() => stream.received.length, { interval: 5, timeout: 200 })
        .toBeGreaterThan(length)
        .catch(() => {});
    }
    expect(stream.state).toBeUndefined();
    expect(stream.received.length).toBeGreaterThan(3);
    expect(stream.received.length).toBeLessThan(10);
  });
});
