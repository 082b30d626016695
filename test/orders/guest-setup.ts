/** Shared setup of the tests of guests: an app with two shops, free orders of guests, and their order links. */
import { beforeAll } from 'vitest';
import { uniqueEmail } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

export let t: TestApp;
export let shop: SellingShop;
export let other: SellingShop;
export let pot: SoldProduct;
beforeAll(async () => {
  t = await testApp({
    TRUST_PROXY: 'on',
    PUBLIC_URL: 'http://pay.test',
    ALLOWED_ORIGINS: 'http://shop.test',
  });
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  pot = await addProduct(t, shop, { price: 0, stock: 1000, name: 'Pot' });
  await addPromoCode(t, shop, { code: 'ALL', type: 'FREE_SHIPPING' });
});

export interface OrderBody {
  id: string;
  number: number;
  contactEmail?: string;
  contactPhone?: string;
}

export const checkout = (as: Person, more: Record<string, unknown> = {}) =>
  t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as,
    body: { market: 'US', promoCode: 'ALL', items: [{ ...pot, quantity: 1 }], ...more },
  });

export const readOrder = (id: string, as: Person = shop.admin, orders = shop.orders) =>
  t.rest<OrderBody>('GET', `${orders}/${id}`, { as });

/** A free order of a guest with an address; the confirmation mail is sent at once. */
export async function guestOrder(email = uniqueEmail(), guest?: Person) {
  const person = guest ?? (await t.guest());
  const { body } = await checkout(person, { email, shippingMethodId: 'standard' });
  return { guest: person, email, id: body.orderId };
}

export const latestLink = async (email: string) =>
  /http:\/\/pay\.test\/orders\/view\?token=\S+/.exec((await t.outbox(email)).at(-1)?.text ?? '')?.[0] ?? '';

export async function openLink(link: string) {
  const response = await t.app.fetch(new Request(link));
  return { status: response.status, headers: response.headers, page: await response.text() };
}

export const ship = (id: string) =>
  t.rest('POST', `${shop.orders}/${id}/fulfilments`, {
    as: shop.admin,
    body: { carrier: 'DHL', trackingNumber: '0034', trackingUrl: 'https://track.example/0034' },
  });
