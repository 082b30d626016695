/** Limit on unpaid orders per customer and per client network, in REST and GraphQL. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { now } from '../../src/lib/time.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  createSellingShop,
  loadStock,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let pot: SoldProduct;
let address = 0;

beforeAll(async () => {
  t = await testApp({ TRUST_PROXY: 'on', UNPAID_ORDERS_PER_CUSTOMER: '5', UNPAID_ORDERS_PER_ADDRESS: '20' });
  shop = await createSellingShop(t);
  pot = await addProduct(t, shop, { price: 1000, stock: 1000 });
});

interface CheckoutResult {
  orderId: string;
  checkoutUrl: string;
  error?: string;
}

const body = () => ({ market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] });
const newAddress = () => {
  address += 1;
  return `198.51.100.${address}`;
};

const buy = (as: Person, from: string, headers = {}) =>
  t.rest<CheckoutResult>('POST', `${shop.orders}/checkout`, {
    as,
    body: body(),
    headers: { 'x-forwarded-for': from, ...headers },
  });

const buyMany = async (count: number, as: Person, from = newAddress()) => {
  const pages: CheckoutResult[] = [];
  for (let index = 0; index < count; index += 1) pages.push((await buy(as, from)).body);
  return pages;
};

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort((a, b) => a - b);

describe('one customer', () => {
  it('is rejected at the sixth order in REST and GraphQL, without any trace of it', async () => {
    const guest = await t.guest();
    await buyMany(5, guest);
    const before = await loadStock(t, pot);
    const rejected = await buy(guest, newAddress(), { 'idempotency-key': 'sixth' });
    expect([rejected.status, rejected.body.error]).toEqual([429, 'RATE_LIMITED']);
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(1700);
    expect(seconds).toBeLessThanOrEqual(1800);
    const response = await t.graphql(
      'mutation ($b: ID!, $input: CheckoutInput!) { checkout(businessId: $b, input: $input) { orderId } }',
      { b: shop.businessId, input: body() },
      { as: guest },
    );
    expect(response.errors[0]?.extensions.code).toBe('RATE_LIMITED');
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await loadStock(t, pot)).toBe(before);
    const key = await t.db.sql("select 1 from idempotency_keys where key = 'sixth'");
    expect(key).toEqual([]);
  });

  it.each(['paid', 'cancelled', 'expired'])('may order again when one order is %s', async (ending) => {
    const guest = await t.guest();
    const [first] = await buyMany(5, guest);
    if (!first) throw new Error('nothing bought');
    expect((await buy(guest, newAddress())).status).toBe(429);
    await end[ending as keyof typeof end](first);
    expect(statuses([await buy(guest, newAddress()), await buy(guest, newAddress())])).toEqual([200, 429]);
    const [row] = await t.db.sql<{ held_from: string | null }>('select held_from from orders where id = $1', [
      first.orderId,
    ]);
    expect(row).toEqual({ held_from: null });
  });

  const end = {
    paid: async ({ checkoutUrl }: CheckoutResult) => {
      const session = checkoutUrl.split('/').at(-1) ?? '';
      await (t.app.services.payments as SandboxPaymentProvider).applyAction(session, 'pay');
      await t.app.drainJobs();
    },
    cancelled: ({ orderId }: CheckoutResult) =>
      t.rest('PUT', `${shop.orders}/${orderId}/status`, { as: shop.admin, body: { status: 'CANCELLED' } }),
    expired: async ({ orderId }: CheckoutResult) => {
      await t.db.write('update orders set expires_at = $2 where id = $1', [orderId, now() - 1]);
      await expireOrders(t.app.services);
    },
  };

  it('gets 5 of 20 concurrent orders, and stock decreases by 5', async () => {
    const guest = await t.guest();
    const before = (await loadStock(t, pot)) ?? 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => buy(guest, newAddress())));
    expect(statuses(answers)).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    expect(await loadStock(t, pot)).toBe(before - 5);
  });

  it('below the limit gets no Retry-After header, and the check adds no statement', async () => {
    const guest = await t.guest();
    const from = newAddress();
    t.statements.length = 0;
    expect((await buy(guest, from)).headers.get('retry-after')).toBeNull();
    // Terms and products; the order with everything that belongs to it, including its payment session.
    expect(t.statements).toHaveLength(2);
    expect(t.statements.filter((text) => text.includes('unpaid_order_limit_until'))).toHaveLength(1);
    expect(t.statements.find((text) => text.includes('unpaid_order_limit_until'))).toContain(
      'insert into orders',
    );
  });
});

describe('one client network', () => {
  it('gets 20 of 30 concurrent orders across customers; an IPv6 /64 counts as one network', async () => {
    const guests = await Promise.all(Array.from({ length: 30 }, () => t.guest()));
    const answers = await Promise.all(
      guests.map((guest, index) => buy(guest, `2001:db8:7:7::${(index + 1).toString(16)}`)),
    );
    expect(statuses(answers)).toEqual([...Array(20).fill(200), ...Array(10).fill(429)]);
    expect((await buy(await t.guest(), '2001:db8:7:8::1')).status).toBe(200);
  });

  it('is stored only as a keyed hash', async () => {
    const from = newAddress();
    const [{ orderId = '' } = {}] = await buyMany(1, await t.guest(), from);
    const [row] = await t.db.sql<{ held_from: string }>('select held_from from orders where id = $1', [
      orderId,
    ]);
    expect(row?.held_from).toMatch(/^[\w-]{43}$/);
  });
});

it('the limit is disabled by RATE_LIMIT=off', async () => {
  const off = await testApp({ RATE_LIMIT: 'off', UNPAID_ORDERS_PER_CUSTOMER: '1' });
  const free = await createSellingShop(off);
  const sold = await addProduct(off, free, { stock: 10 });
  const guest = await off.guest();
  for (let index = 0; index < 3; index += 1) {
    const items = [{ ...sold, quantity: 1 }];
    const answer = await off.rest('POST', `${free.orders}/checkout`, {
      as: guest,
      body: { market: 'US', shippingMethodId: 'standard', items },
    });
    expect(answer.status).toBe(200);
  }
  expect(await off.db.sql('select 1 from orders where held_from is not null')).toEqual([]);
});
