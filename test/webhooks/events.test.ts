/** Each kind of change tells exactly what it should, as a receiver sees it; what is undone tells nobody. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxPayments } from '../../src/adapters/payments/sandbox.ts';
import { unsubscribeToken } from '../../src/domains/newsletter/tokens.ts';
import { expireOrders } from '../../src/domains/orders/expiry.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { onPostgres } from '../support/database.ts';
import { deliver, eventFor } from '../support/events.ts';
import { type Endpoint, type Hooks, register, startHooks, verified } from '../support/hooks.ts';
import { addProduct, addPromo, type SellingShop, type SoldProduct, sellingShop } from '../support/selling.ts';

let t: TestApp;
let hooks: Hooks;
let shop: SellingShop;
let other: SellingShop;
let guest: Person;
let endpoint: Endpoint;
let base: string;

beforeAll(async () => {
  t = await testApp({
    WEBHOOK_ALLOW_PRIVATE: 'on',
    PUBLIC_URL: 'http://pay.test',
    NEWSLETTER_PER_SECOND: '10000',
  });
  hooks = await startHooks();
  [shop, other, guest] = [await sellingShop(t), await sellingShop(t), await t.guest()];
  base = `/v1/businesses/${shop.businessId}`;
  endpoint = await register(t, shop, `${hooks.url}/all`);
  await register(t, other, `${hooks.url}/other`);
});

interface Told {
  type: string;
  data: Record<string, unknown>;
}

/** What was told since the last time, by type. */
async function told(): Promise<Told[]> {
  await t.app.drainJobs();
  expect(hooks.received.map(({ path }) => path).filter((path) => path !== '/all')).toEqual([]);
  const events = hooks.received
    .splice(0)
    .map((hook) => verified(endpoint.secret, hook) as Told & { timestamp: string });
  return events
    .map(({ timestamp, ...event }) => {
      expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
      return event;
    })
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

beforeEach(async () => {
  await told();
});

const call = async <Body = Record<string, never>>(
  method: string,
  path: string,
  body?: object,
  as = shop.admin,
) => {
  const answer = await t.rest<Body>(method, `${base}/${path}`, { as, ...(body ? { body } : {}) });
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

describe('products', () => {
  it('are created, updated and deleted', async () => {
    const product = await call<{ id: string }>('POST', 'products', { name: 'Tea pot' });
    const facts = {
      id: product.id,
      businessId: shop.businessId,
      slug: 'tea-pot',
      name: 'Tea pot',
      status: 'ACTIVE',
      version: 1,
    };
    expect(await told()).toEqual([{ type: 'product.created', data: facts }]);
    await call('PUT', `products/${product.id}`, { name: 'Kettle', status: 'DRAFT' });
    const changed = { ...facts, name: 'Kettle', status: 'DRAFT', version: 2 };
    expect(await told()).toEqual([{ type: 'product.updated', data: changed }]);
    await call('DELETE', `products/${product.id}`);
    expect(await told()).toEqual([{ type: 'product.deleted', data: changed }]);
  });

  it('tell the slug they got, and once, when theirs was taken', async () => {
    await call('POST', 'products', { name: 'Twin' });
    await told();
    const twin = await call<{ id: string; slug: string }>('POST', 'products', { name: 'Twin' });
    expect(await told()).toEqual([
      { type: 'product.created', data: expect.objectContaining({ id: twin.id, slug: 'twin-2' }) },
    ]);
  });

  it('are created with an Idempotency-Key once', async () => {
    const request = { as: shop.admin, headers: { 'idempotency-key': newId() }, body: { name: 'Keyed' } };
    for (let count = 0; count < 2; count += 1) await t.rest('POST', `${base}/products`, request);
    expect((await told()).map(({ type }) => type)).toEqual(['product.created']);
  });

  it('tell nobody when they are refused', async () => {
    const sku = newId();
    await call('POST', 'products', { name: 'Holder', slug: 'holder', variants: [{ sku }] });
    await told();
    for (const body of [{ name: 'X', variants: [{ sku }] }, { name: 'X', slug: 'holder' }, {}])
      expect((await t.rest('POST', `${base}/products`, { as: shop.admin, body })).status).toBe(422);
    const stale = await t.rest('PUT', `${base}/products/holder`, {
      as: shop.admin,
      headers: { 'if-match': '"99"' },
      body: { name: 'Y' },
    });
    expect(stale.status).toBe(412);
    expect(await told()).toEqual([]);
  });

  it('cost one statement where nobody listens, and one more where somebody does', async () => {
    const silent = await t.shop();
    const statements = async (as: Person, businessId: string) => {
      await t.rest('GET', `/v1/businesses/${businessId}/products`, { as });
      t.statements.length = 0;
      await t.rest('POST', `/v1/businesses/${businessId}/products`, { as, body: { name: newId() } });
      return t.statements.filter((text) => /insert/i.test(text)).length;
    };
    expect(await statements(silent.admin, silent.businessId)).toBe(1);
    expect(await statements(shop.admin, shop.businessId)).toBe(2);
  });
});

describe('orders', () => {
  let pot: SoldProduct;
  beforeAll(async () => {
    pot = await addProduct(t, shop, { price: 1000, stock: 100_000, name: 'Pot' });
    await addPromo(t, shop, { code: 'ALL', type: 'PERCENTAGE', bps: 10_000 });
  });

  const facts = (id: string, more: object = {}) => ({
    id,
    businessId: shop.businessId,
    customerId: guest.userId,
    status: 'PENDING',
    paymentStatus: 'PENDING',
    market: 'US',
    currency: 'USD',
    subtotal: 3000,
    tax: 248,
    shipping: 590,
    discount: 0,
    total: 3838,
    version: 1,
    ...more,
  });
  const payment = (orderId: string, more: object) => ({
    orderId,
    businessId: shop.businessId,
    currency: 'USD',
    refunded: 0,
    provider: 'sandbox',
    ...more,
  });

  const buy = async (more: object = {}) => {
    const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 3 }], ...more };
    const bought = await call<{ orderId: string; checkoutUrl?: string }>(
      'POST',
      'orders/checkout',
      body,
      guest,
    );
    return { id: bought.orderId, sessionId: bought.checkoutUrl?.split('/').at(-1) ?? '' };
  };
  const sandbox = () => t.app.services.payments as SandboxPayments;

  it('are checked out, declined, paid, shipped and refunded', async () => {
    const { id, sessionId } = await buy();
    expect(await told()).toEqual([{ type: 'order.created', data: facts(id) }]);

    await sandbox().act(sessionId, 'decline');
    expect(await told()).toEqual([
      { type: 'payment.failed', data: payment(id, { paymentStatus: 'FAILED', amount: 3838, version: 2 }) },
    ]);

    await sandbox().act(sessionId, 'pay');
    const paid = { status: 'PROCESSING', paymentStatus: 'PAID', version: 3 };
    expect(await told()).toEqual([
      { type: 'order.status_changed', data: facts(id, { ...paid, previousStatus: 'PENDING' }) },
      { type: 'payment.paid', data: payment(id, { paymentStatus: 'PAID', amount: 3838, version: 3 }) },
    ]);

    await call('PUT', `orders/${id}/status`, { status: 'SHIPPED' });
    await call('PUT', `orders/${id}/status`, { status: 'SHIPPED' });
    expect(await told()).toEqual([
      {
        type: 'order.status_changed',
        data: facts(id, { ...paid, status: 'SHIPPED', previousStatus: 'PROCESSING', version: 4 }),
      },
    ]);

    const refund = (amount: number) =>
      t.graphql(
        'mutation($b: ID!, $id: ID!, $input: RefundInput!) { refundOrder(businessId: $b, id: $id, input: $input) { order { id } } }',
        { b: shop.businessId, id, input: { amount } },
        { as: shop.admin },
      );
    const partly = { paymentStatus: 'PARTIALLY_REFUNDED' };
    for (const [version, amount, refunded] of [
      [5, 838, 838],
      [6, 1000, 1838],
    ] as const) {
      await refund(amount);
      expect(await told()).toEqual([
        { type: 'payment.refunded', data: payment(id, { ...partly, amount, refunded, version }) },
      ]);
    }
    await refund(2000);
    const whole = { paymentStatus: 'REFUNDED', version: 7 };
    expect(await told()).toEqual([
      {
        type: 'order.status_changed',
        data: facts(id, { ...whole, status: 'REFUNDED', previousStatus: 'SHIPPED' }),
      },
      { type: 'payment.refunded', data: payment(id, { ...whole, amount: 2000, refunded: 3838 }) },
    ]);
  });

  it('that nobody pays are cancelled', async () => {
    const { id } = await buy();
    await told();
    await t.db.sql('update orders set expires_at = 1 where id = $1', [id]);
    await expireOrders(t.app.services);
    const failed = { paymentStatus: 'FAILED', version: 2 };
    expect(await told()).toEqual([
      {
        type: 'order.status_changed',
        data: facts(id, { ...failed, status: 'CANCELLED', previousStatus: 'PENDING' }),
      },
      { type: 'payment.failed', data: payment(id, { ...failed, amount: 3838 }) },
    ]);
  });

  it('that cost nothing are complete from the start', async () => {
    const { id } = await buy({
      promoCode: 'ALL',
      items: [{ ...pot, quantity: 1 }],
      shippingMethodId: 'standard',
      market: 'US',
    });
    const [event] = await told();
    expect(event).toMatchObject({ type: 'order.created', data: { id, discount: 1000, subtotal: 1000 } });
  });

  it('of staff are recorded, changed, cancelled and marked', async () => {
    const lines = [{ ...pot, quantity: 1 }];
    const { id } = await call<{ id: string }>('POST', 'orders', { market: 'US', lines });
    const { customerId: _none, ...plain } = facts(id, { subtotal: 1000, tax: 0, shipping: 0, total: 1000 });
    expect(await told()).toEqual([{ type: 'order.created', data: plain }]);

    await call('PUT', 'orders/update', { id, lines: [{ ...pot, quantity: 2 }], subtotal: 2000, total: 2000 });
    const changed = { ...plain, subtotal: 2000, total: 2000, version: 2 };
    expect(await told()).toEqual([{ type: 'order.updated', data: changed }]);

    await call('PUT', `orders/${id}/payment-status`, { status: 'PAID' });
    const { provider: _provider, ...byHand } = payment(id, {
      paymentStatus: 'PAID',
      amount: 2000,
      version: 3,
    }) as Record<string, unknown>;
    expect(await told()).toEqual([{ type: 'payment.paid', data: byHand }]);

    await call('PUT', `orders/${id}/payment-status`, { status: 'REFUNDED' });
    const { amount: _amount, ...unknown } = { ...byHand, paymentStatus: 'REFUNDED', version: 4 } as Record<
      string,
      unknown
    >;
    expect(await told()).toEqual([{ type: 'payment.refunded', data: unknown }]);

    await call('PUT', 'orders/update', {
      id,
      blocks: [{ id: 'note', type: 'TEXT', value: 'x' }],
      status: 'CANCELLED',
    });
    const gone = { ...changed, status: 'CANCELLED', paymentStatus: 'REFUNDED', version: 5 };
    expect(await told()).toEqual([
      { type: 'order.status_changed', data: { ...gone, previousStatus: 'PENDING' } },
      { type: 'order.updated', data: gone },
    ]);
  });

  it('that are refused, or taken back with their transaction, tell nobody', async () => {
    const scarce = await addProduct(t, shop, { stock: 1, low: 1 });
    await told();
    const answer = await t.rest('POST', `${base}/orders/checkout`, {
      as: guest,
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...scarce, quantity: 2 }] },
    });
    expect(answer.status).toBe(422);
    const limited = await t.rest('POST', `${base}/orders/checkout`, {
      as: guest,
      body: {
        market: 'US',
        shippingMethodId: 'standard',
        promoCode: 'NONE',
        items: [{ ...pot, quantity: 2 }],
      },
    });
    expect(limited.status).toBe(422);
    expect(await told()).toEqual([]);
    const [{ events } = { events: -1 }] = await t.db.sql<{ events: number }>(
      `select count(*)::int as events from webhook_events e where e.data->>'productId' = $1`,
      [scarce.productId],
    );
    expect(events).toBe(0);
  });

  it('that take stock to its threshold say so, once per crossing', async () => {
    const scarce = await addProduct(t, shop, { stock: 10, low: 5 });
    const [variant] = await t.db.sql<{ sku: string }>('select sku from variants where id = $1', [
      scarce.variantId,
    ]);
    await told();
    const take = async (quantity: number) => {
      await call('POST', 'orders', { market: 'US', lines: [{ ...scarce, quantity }] });
      return (await told()).filter(({ type }) => type === 'stock.low');
    };
    expect(await take(4)).toEqual([]);
    expect(await take(2)).toEqual([
      {
        type: 'stock.low',
        data: {
          businessId: shop.businessId,
          ...scarce,
          sku: variant?.sku,
          quantity: 4,
          lowStockThreshold: 5,
        },
      },
    ]);
    expect(await take(1)).toEqual([]);
  });
});

describe('content', () => {
  it('is created, changed and deleted', async () => {
    const { id: collectionId } = await call<{ id: string }>('POST', 'collections', { name: 'Journal' });
    expect(await told()).toEqual([]);
    const blocks = [{ id: 'slug', type: 'TEXT', value: { en: 'hello', de: 'hallo' } }];
    const { id } = await call<{ id: string }>('POST', 'entries', { collectionId, locale: 'de', blocks });
    const facts = {
      id,
      businessId: shop.businessId,
      owner: `collection:${collectionId}`,
      collectionId,
      locale: 'de',
      slug: 'hallo',
      status: 'DRAFT',
      version: 1,
    };
    expect(await told()).toEqual([{ type: 'entry.created', data: facts }]);
    await call('PUT', `entries/${id}`, { status: 'PUBLISHED' });
    const changed = { ...facts, status: 'PUBLISHED', version: 2 };
    expect(await told()).toEqual([{ type: 'entry.updated', data: changed }]);
    await call('DELETE', `entries/${id}`);
    expect(await told()).toEqual([{ type: 'entry.deleted', data: changed }]);
    const refused = await t.rest('POST', `${base}/entries`, {
      as: shop.admin,
      body: { collectionId: newId() },
    });
    expect(refused.status).toBe(422);
    expect(await told()).toEqual([]);
  });

  it('without a collection has no collectionId', async () => {
    await call('POST', 'entries', { owner: 'reservation:7', blocks: [] });
    const [event] = await told();
    expect(Object.keys(event?.data ?? {})).toEqual([
      'id',
      'businessId',
      'owner',
      'locale',
      'status',
      'version',
    ]);
  });
});

describe('newsletters', () => {
  const plans = [{ id: 'pro', name: 'Pro', price: { amount: 500, currency: 'usd', interval: 'MONTHLY' } }];
  const newsletter = async (more: object = {}) =>
    (await call<{ id: string }>('POST', 'collections', { name: 'Letter', type: 'NEWSLETTER', ...more })).id;
  const subscribe = (collectionId: string, body: object) =>
    call<{ id: string; checkoutUrl?: string }>('POST', `collections/${collectionId}/subscribe`, body, guest);
  const leave = (id: string) =>
    call('POST', 'collections/unsubscribe', {
      token: unsubscribeToken(t.app.services.keys.secret, shop.businessId, id),
    });

  it('are subscribed to, left, and subscribed to again', async () => {
    const collectionId = await newsletter();
    const email = `${newId()}@mail.example`;
    const { id } = await subscribe(collectionId, { email, name: 'Ada' });
    const facts = { id, businessId: shop.businessId, collectionId, status: 'ACTIVE' };
    expect(await told()).toEqual([{ type: 'subscription.created', data: facts }]);
    await subscribe(collectionId, { email: email.toUpperCase() });
    expect(await told()).toEqual([]);
    await leave(id);
    await leave(id);
    expect(await told()).toEqual([
      { type: 'subscription.cancelled', data: { ...facts, status: 'UNSUBSCRIBED' } },
    ]);
    await subscribe(collectionId, { email });
    expect(await told()).toEqual([{ type: 'subscription.activated', data: facts }]);
  });

  it('are paid for, and end with their payment', async () => {
    const collectionId = await newsletter({ plans });
    const email = `${newId()}@mail.example`;
    const { checkoutUrl = '' } = await subscribe(collectionId, { email, planId: 'pro' });
    const [created] = await told();
    const facts = { ...created?.data, status: 'PENDING', planId: 'pro', collectionId };
    expect(created).toEqual({ type: 'subscription.created', data: facts });
    const sandbox = t.app.services.payments as SandboxPayments;
    const sessionId = checkoutUrl.split('/').at(-1) ?? '';
    await sandbox.act(sessionId, 'pay');
    expect(await told()).toEqual([{ type: 'subscription.activated', data: { ...facts, status: 'ACTIVE' } }]);
    const reference = `subscription:${created?.data.id}`;
    await deliver(t, eventFor('', { type: 'cancelled', reference, paymentId: `pay_${sessionId}` }));
    expect(await told()).toEqual([
      { type: 'subscription.cancelled', data: { ...facts, status: 'CANCELLED' } },
    ]);
  });

  it('say when the last mail is out, with numbers and no addresses', async () => {
    const collectionId = await newsletter();
    for (const name of ['a', 'b'])
      await subscribe(collectionId, { email: `${name}-${newId()}@mail.example` });
    const entry = await call<{ id: string }>('POST', 'entries', { collectionId, blocks: [] });
    await told();
    const { sendId } = await call<{ sendId: string }>('POST', `entries/${entry.id}/send`, {});
    expect(await told()).toEqual([
      {
        type: 'newsletter.sent',
        data: {
          sendId,
          businessId: shop.businessId,
          collectionId,
          entryId: entry.id,
          recipients: 2,
          sent: 2,
          failed: 0,
        },
      },
    ]);
  });
});

describe('who is told', () => {
  it('only who asked for the type or its group, while active', async () => {
    const picky = await t.shop();
    const paths = {
      '/exact': ['product.created'],
      '/group': ['product.*'],
      '/else': ['order.*', 'stock.low'],
      '/off': ['*'],
    };
    const endpoints: Record<string, Endpoint> = {};
    for (const [path, events] of Object.entries(paths))
      endpoints[path] = await register(t, picky, hooks.url + path, events);
    const products = `/v1/businesses/${picky.businessId}/products`;
    await t.rest('PUT', `/v1/businesses/${picky.businessId}/webhooks/${endpoints['/off']?.id}`, {
      as: picky.admin,
      body: { status: 'DISABLED' },
    });
    const { body } = await t.rest<{ id: string }>('POST', products, { as: picky.admin, body: { name: 'A' } });
    await t.rest('PUT', `${products}/${body.id}`, { as: picky.admin, body: { name: 'B' } });
    await t.app.drainJobs();
    const seen = hooks.received.splice(0).map((hook) => {
      const { type } = verified(endpoints[hook.path]?.secret ?? '', hook) as Told;
      return `${hook.path} ${type}`;
    });
    expect(seen.sort()).toEqual([
      '/exact product.created',
      '/group product.created',
      '/group product.updated',
    ]);
  });

  it('nothing is written where nobody listens', async () => {
    const silent = await t.shop();
    await register(t, silent, hooks.url, ['newsletter.sent']);
    await addProduct(t, silent);
    const [count] = await t.db.sql<{ events: number }>(
      'select count(*)::int as events from webhook_events where business_id = $1',
      [silent.businessId],
    );
    expect(count).toEqual({ events: 0 });
  });

  it('nobody of a change whose transaction is rolled back', async () => {
    const { announce } = await import('../../src/domains/webhooks/announce.ts');
    await t.db
      .transaction(async (tx) => {
        await announce(t.app.services, tx, shop.businessId, [{ type: 'order.created', data: { id: 'x' } }]);
        throw new Error('undone');
      })
      .catch(() => {});
    expect(await told()).toEqual([]);
  });

  it.runIf(onPostgres)('nobody who is deleted in the same moment, and the change goes on', async () => {
    const shrinking = await t.shop();
    const { id } = await register(t, shrinking, hooks.url);
    let finish = () => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const deleting = t.db.transaction(async (tx) => {
      await tx.sql('delete from webhook_endpoints where id = $1', [id]);
      await gate;
    });
    const creating = t.rest('POST', `/v1/businesses/${shrinking.businessId}/products`, {
      as: shrinking.admin,
      body: { name: 'Late' },
    });
    await sleep(200);
    finish();
    await deleting;
    expect((await creating).status).toBe(200);
    const [count] = await t.db.sql<{ events: number }>(
      'select count(*)::int as events from webhook_events where business_id = $1',
      [shrinking.businessId],
    );
    expect(count).toEqual({ events: 0 });
  });

  it('nothing about people but their ids', async () => {
    const rows = await t.db.sql<{ data: string }>('select data::text as data from webhook_events');
    expect(rows.length).toBeGreaterThan(20);
    for (const { data } of rows) expect(data).not.toMatch(/@|mail\.example|Ada|people\.example/);
  });
});
