/** Shared setup of the cart tests: an app with two selling shops, and helpers for cart requests. */
import { beforeAll } from 'vitest';
import { type CallOptions, type Person, type TestApp, testApp } from '../support/app.ts';
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
  t = await testApp({ PUBLIC_URL: 'http://pay.test' });
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  pot = await addProduct(t, shop, { price: 1000, stock: 1000, name: 'Pot' });
  await addPromoCode(t, shop, { code: 'HALF', type: 'PERCENTAGE', bps: 5000 });
  await addPromoCode(t, shop, { code: 'ALL', type: 'PERCENTAGE', bps: 10_000 });
  await addPromoCode(t, shop, { code: 'BIG', type: 'PERCENTAGE', bps: 5000, minSubtotal: 5000 });
});

export interface LineBody {
  id: string;
  variantId: string;
  quantity: number;
  name: string;
  unitPrice?: number;
  addedPrice?: number;
  available?: number;
  changes: string[];
  blocks: { id: string; value: unknown }[];
}

export interface CartBody {
  id: string;
  customerId: string;
  market: string;
  lines: LineBody[];
  blocks: { id: string; value: unknown }[];
  note?: string;
  promoCode?: string;
  shippingMethodId?: string;
  subtotal?: number;
  discount?: number;
  total?: number;
  problems: { field: string; error: string }[];
  expiresAt: number;
  updatedAt: number;
  version: number;
}

export const cartsOf = ({ businessId }: { businessId: string }) => `/v1/businesses/${businessId}/carts`;

export const call = <Body = CartBody>(
  as: Person | undefined,
  method: string,
  path = '/me',
  body?: object,
  options: CallOptions & { shop?: SellingShop } = {},
) =>
  t.rest<Body>(method, `${cartsOf(options.shop ?? shop)}${path}`, {
    as,
    ...(body ? { body } : {}),
    ...(options.headers ? { headers: options.headers } : {}),
  });

export const open = (as: Person, body: object = {}, options: { shop?: SellingShop } = {}) =>
  call(as, 'POST', '', { market: 'US', shippingMethodId: 'standard', ...body }, options);

export const add = (as: Person, body: object = {}, headers: Record<string, string> = {}) =>
  call(as, 'POST', '/me/lines', { ...pot, quantity: 1, ...body }, { headers });

/** A customer (default: a guest) whose cart contains a pot. */
export async function shopper(who: Person | Promise<Person> = t.guest(), quantity = 1): Promise<Person> {
  const person = await who;
  await open(person);
  await add(person, { quantity });
  return person;
}

/** A guest with a session that can be revoked. */
export async function signedInGuest(): Promise<Person> {
  const { body } = await t.rest<{ userId: string; accessToken: string }>('POST', '/v1/users/login', {
    body: { provider: 'GUEST' },
  });
  return { userId: body.userId, token: body.accessToken };
}

export const cartOf = async (as: Person) => (await call(as, 'GET')).body;

export interface Ordered {
  orderId: string;
  checkoutUrl?: string;
  status?: string;
}

export const checkOut = (as: Person, body: object = {}, headers: Record<string, string> = {}) =>
  call<Ordered>(as, 'POST', '/me/checkout', body, { headers });

export const ordersOf = async (as: Person) =>
  (await t.rest<{ items: { id: string; blocks: object[]; total: number }[] }>('GET', shop.orders, { as }))
    .body.items;

export const setPrice = ({ productId }: SoldProduct, price: number) =>
  t.db.write(
    `update products set document = jsonb_set(document, '{variants,0,pricing,markets,0,price}', to_jsonb($2::bigint)) where id = $1`,
    [productId, price],
  );
