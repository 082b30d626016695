/** Live updates across processes and database connections. Requires a PostgreSQL server. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { defaultLiveOptions } from '../../src/live/live-updates.ts';
import { type Person, TestApp } from '../support/app.ts';
import { onPostgres, testDatabaseUrl, testDataDir } from '../support/database.ts';
import { startGateway } from '../support/gateway-process.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import {
  distinctValues,
  type EventStream,
  openSubscription,
  readEventStream,
} from '../support/sse-client.ts';

const within = { interval: 10 };
const query = `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { id status version } }`;
const stockQuery = `subscription ($b: ID!, $id: ID) { stockChanged(businessId: $b, productId: $id) { inventory { quantity } } }`;

describe.runIf(onPostgres)('two processes on one database', () => {
  let url: string;
  let here: TestApp;
  let there: TestApp;
  let client: pg.Client;
  let shop: SellingShop;
  let customer: Person;
  const streams: EventStream[] = [];

  async function appOn(address: string): Promise<TestApp> {
    const db = await openDb({ url: address });
    const config = readConfig({ ALLOWED_ORIGINS: 'http://shop.test' });
    const log = pino({ level: 'silent' });
    const app = await createApp({
      config,
      db,
      log,
      live: { ...defaultLiveOptions, paceMs: 5, lingerMs: 50 },
    });
    return new TestApp(app, db, []);
  }

  beforeAll(async () => {
    url = await testDatabaseUrl();
    [here, there] = [await appOn(url), await appOn(url)];
    client = new pg.Client({ connectionString: url });
    await client.connect();
    shop = await createSellingShop(here);
    customer = await here.person();
  });

  afterEach(async () => {
    await Promise.all(streams.splice(0).map((stream) => stream.close()));
    await expect.poll(listeners, within).toBe(0);
  });

  afterAll(async () => {
    await client.end();
    for (const { app, db } of [here, there]) {
      await app.stop();
      await db.close();
    }
  });

  async function listeners(): Promise<number> {
    const { rows } = await client.query(
      `select pid from pg_stat_activity where application_name = 'duet live' and datname = current_database()`,
    );
    return rows.length;
  }

  const open = async (t: TestApp, id: string | null, as: Person, text = query) => {
    const stream = await openSubscription(t, text, { b: shop.businessId, id }, { as });
    streams.push(stream);
    return stream;
  };

  const setStatus = (t: TestApp, id: string, status: string) =>
    t.rest('PUT', `${shop.orders}/${id}/status`, { as: shop.admin, body: { status } });

  const statusesOf = (stream: EventStream) =>
    distinctValues(stream, ({ orderChanged }: { orderChanged?: { status: string } }) => orderChanged?.status);

  it('deliver changes of orders and stock from one process in the other', async () => {
    const id = await createEmptyOrder(here, shop, customer);
    const cup = await addProduct(here, shop, { stock: 9 });
    const single = await open(there, id, customer);
    const all = await open(there, null, shop.admin);
    const stock = await open(there, cup.productId, customer, stockQuery);
    await setStatus(here, id, 'PROCESSING');
    await here.rest('POST', `${shop.orders}/checkout`, {
      as: customer,
      body: {
        market: 'US',
        paymentMethod: 'CREDIT_CARD',
        shippingMethodId: 'standard',
        items: [{ ...cup, quantity: 4 }],
      },
    });
    await expect.poll(() => statusesOf(single), within).toEqual(['PENDING', 'PROCESSING']);
    await expect.poll(() => statusesOf(all).slice(0, 2), within).toEqual(['PROCESSING', 'PENDING']);
    await expect
      .poll(() => stock.received, within)
      .toEqual([9, 5].map((quantity) => ({ data: { stockChanged: { inventory: { quantity } } } })));
    expect(await listeners()).toBe(1);
  });

  it('continue after the listening connection is killed, with the changes in between', async () => {
    const id = await createEmptyOrder(here, shop, customer);
    const single = await open(there, id, customer);
    const all = await open(there, null, shop.admin);
    await expect.poll(() => statusesOf(single), within).toEqual(['PENDING']);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'duet live' and datname = current_database()`,
    );
    await setStatus(here, id, 'PROCESSING');
    // The missed orders are unknown, so the stream of all orders breaks and its client must reconnect.
    await expect.poll(() => all.state, within).toBe('broken');
    await expect.poll(() => statusesOf(single).at(-1), within).toBe('PROCESSING');
    await setStatus(here, id, 'SHIPPED');
    await expect.poll(() => statusesOf(single).at(-1), within).toBe('SHIPPED');
    expect(single.state).toBeUndefined();
    expect(await listeners()).toBe(1);
  });

  it('retry while the database rejects connections', async () => {
    const id = await createEmptyOrder(here, shop, customer);
    const single = await open(there, id, customer);
    await expect.poll(() => statusesOf(single), within).toEqual(['PENDING']);
    const name = new URL(url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: url.replace(/\/[^/]*$/, '/postgres') });
    await admin.connect();
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'duet live' and datname = $1`,
      [name],
    );
    await sleep(500);
    await client.query('update orders set version = version + 1 where id = $1', [id]);
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    await expect
      .poll(() => single.received.at(-1)?.data, within)
      .toMatchObject({ orderChanged: { version: 2 } });
  });

  it('send no notifications without listeners, and miss none when a listener starts', async () => {
    await expect.poll(listeners, within).toBe(0);
    const notifications: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => notifications.push(payload));
    await client.query('listen duet_live');
    const id = await createEmptyOrder(here, shop, customer);
    await client.query('select 1');
    expect(notifications).toEqual([]);

    // A change made before the listener starts and committed while it starts.
    const early = new pg.Client({ connectionString: url });
    await early.connect();
    await early.query('begin');
    await early.query('update orders set version = 7 where id = $1', [id]);
    const opening = open(there, id, customer);
    await sleep(200);
    await early.query('commit');
    await early.end();
    const stream = await opening;
    await expect
      .poll(() => stream.received.at(-1)?.data, within)
      .toMatchObject({ orderChanged: { version: 7 } });
    await setStatus(here, id, 'PROCESSING');
    await expect.poll(() => notifications, within).toEqual([`order ${shop.businessId} ${id} ${id}`]);
    await client.query('unlisten duet_live');
    client.removeAllListeners('notification');
  });

  it('do not block concurrent writers', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => createEmptyOrder(here, shop, customer)));
    const all = await open(there, null, shop.admin);
    await Promise.all(
      ids.map(async (id) => {
        for (const status of ['PROCESSING', 'SHIPPED', 'DELIVERED']) await setStatus(here, id, status);
      }),
    );
    const last = () => {
      const events = all.received.map(({ data }) => data?.orderChanged as { id: string; status: string });
      return new Map(events.map(({ id, status }) => [id, status]));
    };
    await expect.poll(last, within).toEqual(new Map(ids.map((id) => [id, 'DELIVERED'])));
  });
});

describe('a gateway process', () => {
  it('stops within 5 seconds on SIGTERM with an open stream', async () => {
    const env = onPostgres
      ? { DATABASE_URL: await testDatabaseUrl(), SEED_DEMO: 'off' }
      : { DATA_DIR: await testDataDir(), SEED_DEMO: 'off' };
    const gateway = await startGateway(env);
    const login = await fetch(`${gateway.url}/v1/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"provider":"GUEST"}',
    });
    const { accessToken } = (await login.json()) as { accessToken: string };
    const stream = readEventStream(
      await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${accessToken}`,
        },
        body: JSON.stringify({
          query: `subscription { stockChanged(businessId: "01900000-0000-7000-8000-00000000000b") { variantId } }`,
        }),
      }),
    );
    await expect.poll(() => stream.pings, within).toBeGreaterThan(0);
    const started = performance.now();
    expect(await gateway.stop()).toBe(0);
    expect(performance.now() - started).toBeLessThan(5000);
    await expect.poll(() => stream.state, within).toBe('reconnect');
  });
});
