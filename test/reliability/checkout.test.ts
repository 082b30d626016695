/** Concurrent checkout in two gateway processes on one PostgreSQL: no unit is sold, no promo code claimed and no payment recorded twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Person, TestApp } from '../support/app.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { fetchWithRetry, type Gateway, startGateway } from '../support/gateway-process.ts';
import { countOpenPaymentPages, countOverdueOrders, waitUntil } from '../support/order-expiry.ts';
import { declineThenPay, signEventRequest, webhookPath } from '../support/payment-events.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  detailErrors,
  loadStock,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

/** `RELIABILITY=full` runs the documented sizes; the smaller ones find the same bugs on a busy machine. */
const full = process.env.RELIABILITY === 'full';
const size = full
  ? {
      carts: 500,
      stock: 100,
      changes: 120,
      promo: 200,
      paid: 50,
      repeats: 10,
      expiring: 120,
      orders: 1000,
      kills: 12,
    }
  : {
      carts: 120,
      stock: 30,
      changes: 40,
      promo: 50,
      paid: 12,
      repeats: 8,
      expiring: 40,
      orders: 60,
      kills: 2,
    };

let t: TestApp;
let gateways: Gateway[] = [];
let shop: SellingShop;
let guest: Person;

beforeAll(async () => {
  const url = await auditedDatabaseUrl();
  const db = await openDb({ url });
  const app = await createApp({
    config: readConfig({ DATABASE_URL: url, SEED_DEMO: 'off' }),
    db,
    log: pino({ level: 'silent' }),
  });
  t = new TestApp(app, db, []);
  const env = { DATABASE_URL: url, ALLOWED_ORIGINS: 'http://shop.test', LOG_LEVEL: 'silent' };
  gateways = await Promise.all([startGateway(env), startGateway(env)]);
  shop = await createSellingShop(t);
  guest = await t.guest();
  return () => db.close();
});

afterAll(() => Promise.all(gateways.map((gateway) => gateway.kill())));

interface CheckoutResponse {
  status: number;
  body: { orderId?: string; checkoutUrl?: string; error?: string };
}

const cartBody = (items: object[], extra: object = {}) => ({
  market: 'US',
  shippingMethodId: 'standard',
  items,
  ...extra,
});

async function post(
  gateway: Gateway | undefined,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<CheckoutResponse> {
  const response = await fetchWithRetry(`${gateway?.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as CheckoutResponse['body'] };
}

const checkOut = (index: number, body: object, { as = guest, key }: { as?: Person; key?: string } = {}) =>
  post(gateways[index % 2], `${shop.orders}/checkout`, body, {
    authorization: `Bearer ${as.token}`,
    ...(key ? { 'idempotency-key': key } : {}),
  });

const runParallel = (count: number, run: (index: number) => Promise<CheckoutResponse>) =>
  Promise.all(Array.from({ length: count }, (_item, index) => run(index)));

/** Number of responses by status and detail codes. */
function tally(responses: readonly CheckoutResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of responses) {
    const codes = new Set(detailErrors(body).map((error) => error.split(' ')[1]));
    const kind = status === 200 ? 'sold' : `${status} ${[...codes].join(',')}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Units of a variant in orders that are not cancelled. */
async function unitsSold(sold: SoldProduct): Promise<number> {
  const [row] = await t.db.sql<{ units: number }>(
    `select coalesce(sum((line->>'quantity')::int), 0)::int as units
     from orders o, jsonb_array_elements(o.lines) line where line->>'variantId' = $1 and o.status <> 'CANCELLED'`,
    [sold.variantId],
  );
  return row?.units ?? 0;
}

describe('stock', () => {
  const soldOut = { sold: size.stock, '422 OUT_OF_STOCK': size.carts - size.stock };

  it(`is sold exactly once: ${size.carts} checkouts for ${size.stock} units`, async () => {
    const sold = await addProduct(t, shop, { stock: size.stock, low: 10 });
    const responses = await runParallel(size.carts, (index) =>
      checkOut(index, cartBody([{ ...sold, quantity: 1 }])),
    );
    expect(tally(responses)).toEqual(soldOut);
    expect([await loadStock(t, sold), await unitsSold(sold)]).toEqual([0, size.stock]);
    expect(new Set(responses.flatMap(({ body }) => body.orderId ?? [])).size).toBe(size.stock);
  });

  it('is sold exactly once with carts of several lines in any order, without deadlocks', async () => {
    const sold = await Promise.all(
      Array.from({ length: 5 }, () => addProduct(t, shop, { stock: size.stock })),
    );
    const responses = await runParallel(size.carts, (index) => {
      const items = sold.map((line) => ({ ...line, quantity: 1, order: Math.random() }));
      return checkOut(index, cartBody(items.sort((a, b) => a.order - b.order)));
    });
    expect(tally(responses)).toEqual(soldOut);
    for (const line of sold)
      expect([await loadStock(t, line), await unitsSold(line)]).toEqual([0, size.stock]);
  });

  it('is consistent after concurrent creation, change and cancellation of orders', async () => {
    const sold = await Promise.all(Array.from({ length: 3 }, () => addProduct(t, shop, { stock: 60 })));
    const admin = { authorization: `Bearer ${shop.admin.token}` };
    const responses = await runParallel(size.changes, async (index) => {
      const pick = () => ({
        ...sold[Math.floor(Math.random() * 3)],
        quantity: 1 + Math.floor(Math.random() * 3),
      });
      const created = await checkOut(index, cartBody([pick(), pick()]));
      if (created.status !== 200 || !created.body.orderId) return created;
      const put = async (path: string, body: object) => {
        const response = await fetchWithRetry(`${gateways[(index + 1) % 2]?.url}${shop.orders}${path}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json', ...admin },
          body: JSON.stringify(body),
        });
        return { status: response.status, body: (await response.json()) as CheckoutResponse['body'] };
      };
      const cancel = () => put(`/${created.body.orderId}/status`, { status: 'CANCELLED' });
      if (index % 3 === 0) return (await Promise.all([cancel(), cancel()]))[0];
      if (index % 3 === 1) return put('/update', { id: created.body.orderId, lines: [pick()] });
      return created;
    });
    expect(
      Object.keys(tally(responses)).filter((kind) => !['sold', '422 OUT_OF_STOCK', '409 '].includes(kind)),
    ).toEqual([]);
    for (const line of sold) expect(await loadStock(t, line)).toBe(60 - (await unitsSold(line)));
  });
});

describe('promo codes', () => {
  it(`respect their total limit: 10 uses, ${size.promo} checkouts`, async () => {
    const sold = await addProduct(t, shop, {});
    const id = await addPromoCode(t, shop, { code: 'LIMITED', type: 'PERCENTAGE', bps: 1000, maxUses: 10 });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => t.guest()));
    const body = cartBody([{ ...sold, quantity: 1 }], { promoCode: 'limited' });
    const responses = await runParallel(size.promo, (index) =>
      checkOut(index, body, { as: buyers[index % 20] ?? guest }),
    );
    expect(tally(responses)).toEqual({ sold: 10, '422 PROMO_CODE_EXHAUSTED': size.promo - 10 });
    const [row] = await t.db.sql(
      `select uses, (select count(*)::int from promo_claims where promo_code_id = $1) as claims,
         (select count(*)::int from orders where promo_code = 'LIMITED' and discount > 0) as orders
       from promo_codes where id = $1`,
      [id],
    );
    expect(row).toEqual({ uses: 10, claims: 10, orders: 10 });
  });

  it('respect their limit per customer', async () => {
    const sold = await addProduct(t, shop, {});
    await addPromoCode(t, shop, {
      code: 'TWICE',
      type: 'FIXED',
      amount: 100,
      currency: 'USD',
      maxUsesPerCustomer: 2,
    });
    const buyers = await Promise.all([t.guest(), t.guest(), t.guest()]);
    const body = cartBody([{ ...sold, quantity: 1 }], { promoCode: 'TWICE' });
    const responses = await runParallel(60, (index) =>
      checkOut(index, body, { as: buyers[index % 3] ?? guest }),
    );
    expect(tally(responses)).toEqual({ sold: 6, '422 PROMO_CODE_EXHAUSTED': 54 });
  });
});

describe('payment events', () => {
  it(`are processed once: ${2 * size.paid * size.repeats} concurrent, shuffled deliveries of ${2 * size.paid} events`, async () => {
    const sold = await addProduct(t, shop, {});
    const created = await runParallel(size.paid, (index) =>
      checkOut(index, cartBody([{ ...sold, quantity: 1 }])),
    );
    const orderIds = created.flatMap(({ body }) => body.orderId ?? []);
    const sandbox = t.app.services.payments as SandboxPaymentProvider;
    const events = await declineThenPay(sandbox, created);
    expect(events).toHaveLength(2 * size.paid);
    const deliveries = Array.from({ length: size.repeats }, () => events)
      .flat()
      .map((event) => ({ event, order: Math.random() }))
      .sort((a, b) => a.order - b.order);
    const responses = await Promise.all(
      deliveries.map(({ event }, index) => {
        const { body, headers } = signEventRequest(sandbox, event);
        return post(gateways[index % 2], webhookPath, body, headers);
      }),
    );
    expect(tally(responses)).toEqual({ sold: 2 * size.paid * size.repeats });
    const states = await t.db.sql(
      `select status, payment_status, captured, refunded, count(*)::int as orders,
         max((select count(*) from jsonb_array_elements(payment_statuses) e where e->>'status' = 'PAID'))::int as paid
       from orders where id = any($1::uuid[]) group by 1, 2, 3, 4`,
      [orderIds],
    );
    expect(states).toEqual([
      {
        status: 'PROCESSING',
        payment_status: 'PAID',
        captured: 1673,
        refunded: 0,
        orders: size.paid,
        paid: 1,
      },
    ]);
    const [refunds] = await t.db.sql<{ count: number }>(
      'select count(*)::int as count from refunds r join payment_attempts a on a.id = r.attempt_id where a.subject_id = any($1::uuid[])',
      [orderIds],
    );
    expect(refunds?.count).toBe(0);
  });
});

describe('expiry', () => {
  it('by several processes at once releases the stock once', async () => {
    const sold = await addProduct(t, shop, { stock: size.expiring });
    await runParallel(size.expiring, (index) => checkOut(index, cartBody([{ ...sold, quantity: 1 }])));
    await t.db.write('update orders set expires_at = $1 where business_id = $2 and expires_at is not null', [
      now() - 1,
      shop.businessId,
    ]);
    await Promise.all(Array.from({ length: 4 }, () => expireOrders(t.app.services)));
    await waitUntil(async () => (await countOverdueOrders(t, shop)) === 0);
    expect(await loadStock(t, sold)).toBe(size.expiring);
  });
});

describe('kill -9', () => {
  const { orders, kills } = size;

  it(
    `of gateways during ${orders} checkouts loses and duplicates no order`,
    async () => {
      const sold = await addProduct(t, shop, { stock: 10_000 });
      const buyer = await t.guest();
      let openOrders = orders;
      const acknowledged: string[] = [];
      /** Retries with the same idempotency key until there is a response. */
      const buy = async (index: number) => {
        const key = newId();
        for (let attempt = index; ; attempt += 1) {
          const response = await checkOut(attempt, cartBody([{ ...sold, quantity: 2 }]), {
            as: buyer,
            key,
          }).catch(() => undefined);
          if (response?.status === 200 && response.body.orderId) {
            acknowledged.push(response.body.orderId);
            openOrders -= 1;
            return;
          }
          expect([undefined, 500]).toContain(response?.status);
          await sleep(50 + Math.random() * 100);
        }
      };
      const queue = Array.from({ length: orders }, (_item, index) => index);
      const clients = Array.from({ length: 20 }, async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) await buy(next);
      });
      let killed = 0;
      const killer = (async () => {
        while (openOrders > 0 && killed < kills) {
          await sleep(100 + Math.random() * 400);
          const victim = gateways[killed % 2];
          await victim?.kill();
          killed += 1;
          await victim?.restart();
        }
      })();
      await Promise.all([...clients, killer]);
      expect(killed).toBeGreaterThan(0);
      expect(new Set(acknowledged).size).toBe(orders);
      const rows = await t.db.sql<{ id: string }>('select id from orders where customer_id = $1', [
        buyer.userId,
      ]);
      expect(rows.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
      expect(await loadStock(t, sold)).toBe(10_000 - 2 * orders);

      await t.db.write('update orders set expires_at = $1 where customer_id = $2', [now() - 1, buyer.userId]);
      await expireOrders(t.app.services);
      await waitUntil(async () => (await countOverdueOrders(t, shop)) === 0);
      await waitUntil(async () => (await countOpenPaymentPages(t, buyer)) === 0);
      const finalStatuses = await t.db.sql<{ status: string; count: number }>(
        'select status, count(*)::int as count from orders where customer_id = $1 group by status',
        [buyer.userId],
      );
      expect(finalStatuses).toEqual([{ status: 'CANCELLED', count: orders }]);
      expect(await loadStock(t, sold)).toBe(10_000);
    },
    full ? 900_000 : undefined,
  );
});
