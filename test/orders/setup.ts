/** Shared setup of the order tests: an app with two shops, a customer with an earlier order, and request helpers. */
import { beforeAll } from 'vitest';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

export let t: TestApp;
export let shop: SellingShop;
export let other: SellingShop;
export let customer: Person;
export let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  customer = await t.person({ name: 'Ada', email: 'ada@people.example' });
  // Staff may assign only existing customers of the business to an order.
  await createEmptyOrder(t, shop, customer);
  pot = await addProduct(t, shop, { price: 1000, stock: 1000, name: 'Pot' });
});

export interface OrderBody {
  id: string;
  number: number;
  version: number;
  total: number;
  statuses: { status: string }[];
  paymentStatus: { status: string }[];
  lines: Record<string, unknown>[];
  locale?: string;
}

export const manualOrder = (more: Record<string, unknown> = {}) => ({
  customerId: customer.userId,
  market: 'US',
  currency: 'USD',
  lines: [{ type: 'PRODUCT_VARIANT', ...pot, quantity: 2, unitPrice: 1000, totalPrice: 2000 }],
  subtotal: 2000,
  tax: 165,
  shipping: 500,
  total: 2665,
  ...more,
});

export const postOrder = (
  body: Record<string, unknown> = manualOrder(),
  as: Person | undefined = shop.admin,
) => t.rest<OrderBody>('POST', shop.orders, { as, body });

export const putOrder = (path: string, body: unknown, as: Person | undefined = shop.admin, headers = {}) =>
  t.rest<OrderBody>('PUT', `${shop.orders}${path}`, { as, body, headers });

export const fetchOrder = async (id: string) =>
  (await t.rest<OrderBody>('GET', `${shop.orders}/${id}`, { as: shop.admin })).body;

export const statusTrail = (entries: { status: string }[] | undefined) =>
  entries?.map((entry) => entry.status);
