/** Change of a market's currency: shipping prices and minimum subtotals never keep their number in another currency. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../src/lib/time.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { addPromoCode, createSellingShop, detailErrors, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;

beforeAll(async () => {
  t = await testApp();
});

beforeEach(async () => {
  shop = await createSellingShop(t);
});

const call = <Body>(method: string, path: string, body?: object) =>
  t.rest<Body>(method, `/v1/businesses/${shop.businessId}${path}`, { as: shop.admin, body });

const change = (body: object) => call<{ currency: string }>('PUT', '/markets/us', body);

const rejection = async (body: object) => {
  const answer = await change(body);
  return [answer.status, ...detailErrors(answer.body)];
};

const currency = async () => (await call<{ currency: string }>('GET', '/markets/us')).body.currency;

const pricesOf = async (id: string) =>
  (await call<{ prices: object[] }>('GET', `/shipping-methods/${id}`)).body.prices;

describe('the currency of a market', () => {
  it('changes only together with its shipping prices', async () => {
    await call('POST', '/shipping-methods', {
      id: 'express',
      name: 'Express',
      prices: [
        { marketId: 'us', price: 1990 },
        { marketId: 'EU', price: 1500 },
      ],
    });
    expect(await rejection({ currency: 'JPY' })).toEqual([
      422,
      'shippingPrices REQUIRED',
      'shippingPrices REQUIRED',
    ]);
    const standard = { shippingMethodId: 'standard', price: 900, freeAbove: 15_000 };
    const partial = await change({ currency: 'JPY', shippingPrices: [standard] });
    expect(detailErrors(partial.body)).toEqual(['shippingPrices REQUIRED']);
    expect(JSON.stringify(partial.body)).toContain('express');
    expect([await currency(), await pricesOf('standard')]).toEqual([
      'USD',
      [{ marketId: 'US', price: 590, freeAbove: 10_000 }],
    ]);
    const whole = await change({
      currency: 'JPY',
      shippingPrices: [standard, { shippingMethodId: 'express', price: 3000 }],
    });
    expect([whole.status, whole.body.currency]).toEqual([200, 'JPY']);
    expect(await pricesOf('standard')).toEqual([{ marketId: 'US', price: 900, freeAbove: 15_000 }]);
    expect(await pricesOf('express')).toEqual([
      { marketId: 'us', price: 3000 },
      { marketId: 'EU', price: 1500 },
    ]);
  });

  it('changes freely without shipping prices, and stays the same with its own prices', async () => {
    expect((await call('PUT', '/markets/eu', { currency: 'CHF' })).status).toBe(200);
    expect((await change({ currency: 'usd', taxBps: 700 })).status).toBe(200);
  });

  it('is rejected while promo codes without a currency have a minimum subtotal', async () => {
    await call('DELETE', '/shipping-methods/standard');
    const id = await addPromoCode(t, shop, {
      code: 'BIG',
      type: 'PERCENTAGE',
      bps: 1000,
      minSubtotal: 5000,
    });
    await addPromoCode(t, shop, { code: 'OLD', type: 'FREE_SHIPPING', minSubtotal: 1, endsAt: now() - 1 });
    const fixed = { code: 'OFF', type: 'FIXED', amount: 100, currency: 'USD', minSubtotal: 1 } as const;
    await addPromoCode(t, shop, fixed);
    const answer = await change({ currency: 'JPY' });
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, ['currency CURRENCY_IN_USE']]);
    expect(JSON.stringify(answer.body)).toContain('minSubtotal of promo code BIG');
    await call('PUT', `/promo-codes/${id}`, { endsAt: now() });
    expect((await change({ currency: 'JPY' })).status).toBe(200);
  });
});

describe('shipping prices in an update of a market', () => {
  it('must name shipping methods of the business, each once', async () => {
    const price = (shippingMethodId: string) => ({ shippingMethodId, price: 100 });
    expect(await rejection({ shippingPrices: [price('pigeon')] })).toEqual([
      422,
      'shippingPrices.0.shippingMethodId SHIPPING_METHOD_NOT_FOUND',
    ]);
    expect(await rejection({ shippingPrices: [price('standard'), price('standard')] })).toEqual([
      422,
      'shippingPrices.1.shippingMethodId DUPLICATE_ID',
    ]);
    expect(await rejection({ shippingPrices: [{ shippingMethodId: 'standard', price: -1 }] })).toEqual([
      422,
      'shippingPrices.0.price TOO_SMALL',
    ]);
  });

  it('apply without a change of the currency, too, and to methods without a price there', async () => {
    await call('POST', '/shipping-methods', { id: 'courier', name: 'Courier', prices: [] });
    const shippingPrices = [
      { shippingMethodId: 'standard', price: 600 },
      { shippingMethodId: 'courier', price: 2000 },
    ];
    expect((await change({ shippingPrices })).status).toBe(200);
    expect(await pricesOf('standard')).toEqual([{ marketId: 'US', price: 600 }]);
    expect(await pricesOf('courier')).toEqual([{ marketId: 'US', price: 2000 }]);
  });
});
