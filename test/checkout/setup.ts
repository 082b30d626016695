/** Shared setup of the checkout tests: an app with two shops, a cart, and request helpers. */
import { beforeAll } from 'vitest';
import { now } from '../../src/lib/time.ts';
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
let other: SellingShop;
export let guest: Person;
export let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://pay.test', CARD_PROVIDER_NAME: 'ACME' });
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  guest = await t.guest();
  pot = await addProduct(t, shop, { price: 1000, stock: 1000, name: 'Pot' });
  await addPromoCode(t, shop, { code: 'ALL', type: 'PERCENTAGE', bps: 10_000 });
  await addPromoCode(t, shop, { code: 'HALF', type: 'PERCENTAGE', bps: 5000 });
  await addPromoCode(t, other, { code: 'FOREIGN', type: 'PERCENTAGE', bps: 5000 });
});

interface Result {
  orderId: string;
  checkoutUrl?: string;
  status?: string;
}

export const cartInput = (more: Record<string, unknown> = {}) => ({
  businessId: shop.businessId,
  market: 'US',
  paymentMethod: 'CREDIT_CARD',
  shippingMethodId: 'standard',
  items: [{ ...pot, quantity: 2 }],
  ...more,
});

export const postCheckout = (
  body: Record<string, unknown> = cartInput(),
  as: Person | undefined = guest,
  headers = {},
) => t.rest<Result>('POST', `${shop.orders}/checkout`, { as, body, headers });

export interface OrderBody {
  number: number;
  version: number;
  total: number;
  statuses: { status: string; changedBy: string }[];
  paymentStatus: { status: string }[];
}

export const fetchOrder = async (id: string, as: Person = shop.admin) =>
  (await t.rest<OrderBody>('GET', `${shop.orders}/${id}`, { as })).body;

export const statusTrails = async (id: string) => {
  const { statuses, paymentStatus } = await fetchOrder(id);
  return [statuses.map(({ status }) => status), paymentStatus.map(({ status }) => status)];
};

export const submitPaymentPage = async (checkoutUrl: string | undefined, action: string) => {
  const response = await t.app.fetch(
    new Request(checkoutUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `action=${action}`,
    }),
  );
  return { status: response.status, location: response.headers.get('location') };
};

export const promoUses = async (code: string) =>
  (
    await t.db.sql<{ uses: number }>('select uses from promo_codes where business_id = $1 and code = $2', [
      shop.businessId,
      code,
    ])
  )[0]?.uses;

export const makeOrderOverdue = (orderId: string) =>
  t.db.write('update orders set expires_at = $2 where id = $1', [orderId, now() - 1]);
