/** Attacks on money by callers who know only the contract: amounts that are none, amounts in requests of customers, and races. */
import { describe, expect, it } from 'vitest';
import {
  actOnPage,
  balanceAtProvider,
  buy,
  cancel,
  guest,
  pot,
  refund,
  shop,
  stateOf,
  t,
} from './../payments/setup.ts';
import type { Person } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { addProduct, addPromoCode, createSellingShop, loadStock } from '../support/shop-fixtures.ts';

const base = (businessId: string) => `/v1/businesses/${businessId}`;

describe('amounts that are no amounts', () => {
  const wrong = [-1, 0.5, 1.5, '5', 1e21, 2 ** 53, true, [], {}, -0.1];

  it('are rejected in refunds, and nothing is paid', async () => {
    const page = await buy();
    await actOnPage(page, 'pay');
    for (const amount of [...wrong, 0]) {
      const { status } = await refund(page.orderId, { amount });
      expect([amount, status]).toEqual([amount, 422]);
    }
    expect(await balanceAtProvider(page)).toBe(1673);
    expect(await stateOf(page.orderId)).toMatchObject({ refunds: [] });
  });

  it.each(['subtotal', 'tax', 'shipping', 'discount', 'total'])(
    'are rejected as %s of an order',
    async (field) => {
      for (const amount of wrong) {
        const body = { market: 'US', lines: [{ ...pot, quantity: 1 }], [field]: amount };
        const { status } = await t.rest('POST', shop.orders, { as: shop.admin, body });
        expect([amount, status]).toEqual([amount, 422]);
      }
    },
  );

  it('are rejected as price, quantity, stock, rate and limit', async () => {
    const post = async (path: string, body: object, as = shop.admin) =>
      (await t.rest('POST', `${base(shop.businessId)}${path}`, { as, body })).status;
    for (const value of wrong) {
      const code = `C${Math.random()}`.slice(0, 10);
      const statuses = [
        await post('/orders', { market: 'US', lines: [{ ...pot, quantity: 1, unitPrice: value }] }),
        await post('/orders', { market: 'US', lines: [{ ...pot, quantity: value }] }),
        await post(
          '/orders/checkout',
          { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: value }] },
          guest,
        ),
        await post('/promo-codes', { code, type: 'FIXED', amount: value, currency: 'USD' }),
        await post('/promo-codes', { code, type: 'PERCENTAGE', bps: value }),
        await post('/promo-codes', { code, type: 'PERCENTAGE', bps: 1000, maxUses: value }),
        await post('/promo-codes', { code, type: 'PERCENTAGE', bps: 1000, minSubtotal: value }),
        await post('/markets', { code: code.replace('.', ''), currency: 'USD', taxBps: value }),
        await post('/shipping-methods', { name: 'X', prices: [{ marketId: 'US', price: value }] }),
        await post('/shipping-methods', {
          name: 'X',
          prices: [{ marketId: 'US', price: 1, freeAbove: value }],
        }),
        await post('/products', {
          name: 'X',
          variants: [{ pricing: { markets: [{ marketId: 'us', currency: 'USD', price: value }] } }],
        }),
        await post('/collections', {
          name: 'X',
          type: 'NEWSLETTER',
          plans: [{ id: 'p', name: 'P', price: { amount: value, currency: 'usd', interval: 'MONTHLY' } }],
        }),
      ];
      expect([value, statuses]).toEqual([value, statuses.map(() => 422)]);
    }
    for (const change of [0.5, '1', 1e21, -(2 ** 53), 2 ** 31])
      expect(await post(`/products/${pot.productId}/stock`, { variantId: pot.variantId, change })).toBe(422);
  });

  it('that overflow are rejected everywhere, and take no stock', async () => {
    const price = Number.MAX_SAFE_INTEGER;
    const sold = await addProduct(t, shop, { price, stock: 10 });
    const items = [{ ...sold, quantity: 2 }];
    const cart = { market: 'US', shippingMethodId: 'standard', items };
    const answers = [
      await t.rest('POST', '/v1/payments/quote', {
        as: guest,
        body: { businessId: shop.businessId, market: 'US', lines: items, shippingMethodId: 'standard' },
      }),
      await t.rest('POST', `${shop.orders}/checkout`, { as: guest, body: cart }),
      await t.rest('POST', shop.orders, { as: shop.admin, body: { market: 'US', lines: items } }),
      await t.rest('POST', shop.orders, {
        as: shop.admin,
        body: { market: 'US', lines: [{ ...sold, quantity: 1 }], tax: price },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(await loadStock(t, sold)).toBe(10);
  });
});

it('prices, totals, statuses and payments sent by a customer are ignored', async () => {
  const { body } = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: {
      market: 'US',
      shippingMethodId: 'standard',
      items: [{ ...pot, quantity: 1, unitPrice: 0, totalPrice: 0, discount: 1000, tax: 0 }],
      total: 0,
      subtotal: 0,
      tax: 0,
      shipping: 0,
      discount: 1000,
      captured: 1673,
      amountDue: 0,
      statuses: [{ status: 'DELIVERED' }],
      paymentStatus: [{ status: 'PAID' }],
      status: 'DELIVERED',
      customerId: shop.admin.userId,
    },
  });
  expect(await stateOf(body.orderId)).toMatchObject({
    total: 1673,
    status: 'PENDING',
    currentPaymentStatus: 'PENDING',
    amountDue: 1673,
  });
});

describe('races', () => {
  it('of refunds, returns, a cancellation and the provider give back no more than was paid', async () => {
    for (let round = 0; round < 3; round += 1) {
      const sold = await addProduct(t, shop, { price: 1000, stock: 10 });
      const page = await buy(3, sold);
      await actOnPage(page, 'pay');
      const ship = { lines: [{ line: 0, quantity: 2 }] };
      await t.rest('POST', `${shop.orders}/${page.orderId}/fulfilments`, { as: shop.admin, body: ship });
      const returns = await Promise.all(
        [1, 2].map(() =>
          t.rest<{ id: string }>('POST', `${shop.orders}/${page.orderId}/returns`, {
            as: guest,
            body: { lines: [{ line: 0, quantity: 1 }] },
          }),
        ),
      );
      const accept = (id: string) =>
        t.rest('POST', `${shop.orders}/${page.orderId}/returns/${id}/accept`, { as: shop.admin, body: {} });
      await Promise.all([
        ...returns.flatMap(({ body }) => [accept(body.id), accept(body.id)]),
        ...[1, 2, 3].map(() => refund(page.orderId, { lines: [{ line: 0, quantity: 1 }], restock: true })),
        refund(page.orderId, { amount: 1500 }),
        refund(page.orderId, {}),
        cancel(page.orderId),
      ]);
      await t.app.drainJobs();
      const { captured, refunded } = await stateOf(page.orderId);
      expect(refunded).toBeLessThanOrEqual(captured);
      expect(await balanceAtProvider(page)).toBe(captured - refunded);
      expect(await loadStock(t, sold)).toBeLessThanOrEqual(10);
      expect(await auditFindings(t.app.services)).toEqual([]);
    }
  });

  it('for the last use of a promo code have one winner, who loses it when cancelled', async () => {
    const own = await createSellingShop(t);
    const sold = await addProduct(t, own, { price: 1000, stock: 100 });
    await addPromoCode(t, own, { code: 'LAST', type: 'FIXED', amount: 500, currency: 'USD', maxUses: 1 });
    const order = (as: Person) =>
      t.rest<{ orderId: string }>('POST', `${own.orders}/checkout`, {
        as,
        body: {
          market: 'US',
          shippingMethodId: 'standard',
          promoCode: 'last',
          items: [{ ...sold, quantity: 1 }],
        },
      });
    const guests = await Promise.all(Array.from({ length: 12 }, () => t.guest()));
    const answers = await Promise.all(guests.map(order));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await loadStock(t, sold)).toBe(99);
    const winner = answers.find(({ status }) => status === 200);
    await Promise.all(
      [1, 2, 3].map(() =>
        t.rest('PUT', `${own.orders}/${winner?.body.orderId}/status`, {
          as: own.admin,
          body: { status: 'CANCELLED' },
        }),
      ),
    );
    const again = await Promise.all(guests.map(order));
    expect(again.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      (await t.db.prisma.promoCode.findFirstOrThrow({ where: { businessId: own.businessId } })).uses,
    ).toBe(1);
  });

  it('for the uses of a promo code per customer have that many winners', async () => {
    const own = await createSellingShop(t);
    const sold = await addProduct(t, own, { price: 1000, stock: 100 });
    await addPromoCode(t, own, {
      code: 'TWICE',
      type: 'FIXED',
      amount: 500,
      currency: 'USD',
      maxUsesPerCustomer: 2,
    });
    const as = await t.guest();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        t.rest('POST', `${own.orders}/checkout`, {
          as,
          body: {
            market: 'US',
            shippingMethodId: 'standard',
            promoCode: 'TWICE',
            items: [{ ...sold, quantity: 1 }],
          },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});
