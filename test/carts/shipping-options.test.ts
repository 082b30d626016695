/** Shipping options of a cart, and the order in the payload of checkout. */
import { beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../src/lib/time.ts';
import type { Person } from '../support/app.ts';
import { addPromoCode } from '../support/shop-fixtures.ts';
import { call, open, pot, shop, t } from './setup.ts';

beforeAll(async () => {
  const stamps = { createdAt: now(), updatedAt: now() };
  const { businessId } = shop;
  const express = {
    id: 'express',
    name: 'Express',
    prices: [
      { marketId: 'us', price: 1500 },
      { marketId: 'EU', price: 300 },
    ],
  };
  await t.db.prisma.shippingMethod.create({ data: { businessId, ...express, ...stamps } });
  await addPromoCode(t, shop, { code: 'SHIP', type: 'FREE_SHIPPING' });
});

interface Option {
  shippingMethodId: string;
  price: { amount: number; currency: string };
  isSelected: boolean;
}

async function optionsOf(as: Person): Promise<Option[]> {
  const query = `query ($b: ID!) { myCart(businessId: $b) { shipping
    shippingOptions { shippingMethodId name price { amount currency } freeAbove { amount } isSelected } } }`;
  const { data, errors } = await t.graphql(query, { b: shop.businessId }, { as });
  expect(errors).toEqual([]);
  const { myCart } = data as unknown as { myCart: { shipping: number; shippingOptions: Option[] } };
  const selected = myCart.shippingOptions.find(({ isSelected }) => isSelected);
  if (selected) expect(selected.price.amount).toBe(myCart.shipping);
  return myCart.shippingOptions;
}

const pricesOf = async (as: Person) =>
  (await optionsOf(as)).map(({ shippingMethodId, price }) => [shippingMethodId, price.amount]);

describe('shippingOptions', () => {
  it('lists the methods of the market with their prices for the cart, cheapest first', async () => {
    const customer = await t.guest();
    await open(customer);
    await call(customer, 'POST', '/me/lines', { ...pot, quantity: 1 });
    await call(customer, 'PUT', '/me', { shippingMethodId: 'express' });
    expect(await optionsOf(customer)).toEqual([
      {
        shippingMethodId: 'standard',
        name: 'Standard',
        price: { amount: 590, currency: 'USD' },
        freeAbove: { amount: 10_000 },
        isSelected: false,
      },
      {
        shippingMethodId: 'express',
        name: 'Express',
        price: { amount: 1500, currency: 'USD' },
        freeAbove: null,
        isSelected: true,
      },
    ]);
    await call(customer, 'POST', '/me/lines', { ...pot, quantity: 9 });
    expect(await pricesOf(customer)).toEqual([
      ['standard', 0],
      ['express', 1500],
    ]);
    await call(customer, 'PUT', '/me', { promoCode: 'HALF' });
    expect((await pricesOf(customer))[0]).toEqual(['standard', 590]);
    await call(customer, 'PUT', '/me', { promoCode: 'SHIP' });
    expect(await pricesOf(customer)).toEqual([
      ['express', 0],
      ['standard', 0],
    ]);
  });

  it('follows the market of the cart, and is empty where the business does not ship', async () => {
    const customer = await t.guest();
    await open(customer);
    await call(customer, 'PUT', '/me', { market: 'EU' });
    expect(await pricesOf(customer)).toEqual([['express', 300]]);
    await t.db.write(`delete from shipping_methods where business_id = $1 and id = 'express'`, [
      shop.businessId,
    ]);
    expect(await optionsOf(customer)).toEqual([]);
  });
});

describe('the payload of checkout', () => {
  const mutation = `mutation ($b: ID!, $input: CheckoutInput!) { checkout(businessId: $b, input: $input) {
    orderId orderNumber requiresPayment checkoutUrl order { id number total currency lines { quantity } } } }`;
  const buy = async (as: Person, more: object = {}) => {
    const items = [{ ...pot, quantity: 2 }];
    const input = { market: 'US', shippingMethodId: 'standard', items, ...more };
    const { data, errors } = await t.graphql(mutation, { b: shop.businessId, input }, { as });
    expect(errors).toEqual([]);
    return (data as unknown as { checkout: Record<string, unknown> }).checkout;
  };

  it('has the order, and says that it is to be paid', async () => {
    const payload = await buy(await t.guest());
    expect(payload).toMatchObject({
      requiresPayment: true,
      checkoutUrl: expect.stringContaining('http'),
      order: { id: payload.orderId, number: payload.orderNumber, currency: 'USD', lines: [{ quantity: 2 }] },
    });
  });

  it('requires no payment for a free order', async () => {
    await t.db.write(`update markets set tax_bps = 0 where business_id = $1`, [shop.businessId]);
    await t.db.write(
      `update shipping_methods set prices = '[{"marketId":"US","price":0}]' where business_id = $1`,
      [shop.businessId],
    );
    const payload = await buy(await t.guest(), { promoCode: 'ALL' });
    expect(payload).toMatchObject({ requiresPayment: false, checkoutUrl: null, order: { total: 0 } });
  });
});
