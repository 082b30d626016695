/** Two gateways behind PgBouncer in transaction mode with three connections: writes, subscriptions, timeouts and jobs work as without it. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { type Person, TestApp } from '../support/app.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { lockTables } from '../support/locked-tables.ts';
import { type Pgbouncer, pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import {
  addProduct,
  createSellingShop,
  loadStock,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';
import { type EventStream, openSubscription } from '../support/sse-client.ts';

const version = pgbouncerVersion();
if (version === undefined) console.log('PgBouncer is not installed: its test is skipped.');

describe.runIf(version !== undefined)('behind PgBouncer', () => {
  let pooler: Pgbouncer;
  let gateways: [TestApp, TestApp];
  let shortTimeout: TestApp;
  let shop: SellingShop;
  let teapot: SoldProduct;
  let guest: Person;
  const streams: EventStream[] = [];

  async function createGateway(directUrl: string, timeout: string): Promise<TestApp> {
    const env = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: directUrl,
      UNPAID_ORDERS_PER_CUSTOMER: '1000',
      UNPAID_ORDERS_PER_ADDRESS: '1000',
      OPERATION_TIMEOUT: timeout,
    };
    const config = readConfig(env);
    const db = await openDb({ url: config.databaseUrl, directUrl: config.databaseDirectUrl, poolSize: 10 });
    return new TestApp(await createApp({ config, db, log: pino({ level: 'silent' }) }), db, []);
  }

  beforeAll(async () => {
    const directUrl = await auditedDatabaseUrl();
    pooler = await startPgbouncer(directUrl, 3);
    gateways = [await createGateway(directUrl, '60s'), await createGateway(directUrl, '60s')];
    shortTimeout = await createGateway(directUrl, '3s');
    const [t] = gateways;
    shop = await createSellingShop(t);
    guest = await t.guest();
    teapot = await addProduct(t, shop, { stock: 30 });
  });
  afterAll(async () => {
    await Promise.all(streams.map((stream) => stream.close()));
    for (const { app, db } of [...gateways, shortTimeout]) {
      await app.stop();
      await db.close();
    }
    await pooler.stop();
  });

  const gatewayAt = (index: number) => gateways[index % 2] as TestApp;

  it('creates and lists products concurrently', async () => {
    const path = `/v1/businesses/${shop.businessId}/products`;
    const names = Array.from({ length: 40 }, (_, index) => `Lamp ${index}`);
    const created = await Promise.all(
      names.map((name, index) => gatewayAt(index).rest('POST', path, { as: shop.admin, body: { name } })),
    );
    expect(created.map(({ status }) => status)).toEqual(names.map(() => 200));
    const lists = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((index) =>
        gatewayAt(index).rest<{ items: { name: string }[] }>('GET', `${path}?limit=100`, { as: guest }),
      ),
    );
    for (const { body } of lists)
      expect(body.items.map(({ name }) => name).sort()).toEqual([...names, 'Teapot'].sort());
  });

  it('reserves stock once in concurrent checkouts, and notifies subscribers of the other gateway', async () => {
    const [here, there] = gateways;
    const stream = await openSubscription(
      there,
      'subscription ($b: ID!) { orderChanged(businessId: $b) { id status } }',
      { b: shop.businessId },
      { as: shop.admin },
    );
    streams.push(stream);
    const body = {
      businessId: shop.businessId,
      market: 'US',
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'standard',
      items: [{ ...teapot, quantity: 2 }],
    };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        gatewayAt(index).rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, { as: guest, body }),
      ),
    );
    const orderIds = responses
      .filter(({ status }) => status === 200)
      .map((response) => response.body.orderId);
    expect([orderIds.length, responses.filter(({ status }) => status === 422).length]).toEqual([15, 5]);
    expect(await loadStock(here, teapot)).toBe(0);
    const notifiedIds = () =>
      stream.received.map(({ data }) => (data?.orderChanged as { id: string } | undefined)?.id).sort();
    await expect.poll(notifiedIds).toEqual(expect.arrayContaining([...orderIds].sort()));
  });

  it('cancels statements at the server after a timeout', async () => {
    const [other] = gateways;
    const lock = await lockTables(other.db, 'businesses');
    try {
      const path = `/v1/businesses/${shop.businessId}`;
      const late = await shortTimeout.rest('PUT', path, { as: shop.admin, body: { name: 'Late' } });
      expect([late.status, late.body.error]).toEqual([503, 'TIMEOUT']);
      await expect
        .poll(() =>
          lock.tx.sql(
            `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        )
        .toEqual([]);
    } finally {
      await lock.release();
    }
  });

  it('runs jobs, and leaves no setting in the sessions of the pooler', async () => {
    const [here] = gateways;
    await here.app.drainJobs();
    const settings = await Promise.all(
      Array.from({ length: 6 }, () =>
        here.db.sql<object>(
          `select current_setting('plan_cache_mode') as plans, current_setting('default_transaction_read_only') as reads,
             coalesce(current_setting('duet.author', true), '') as author`,
        ),
      ),
    );
    for (const [row] of settings) expect(row).toEqual({ plans: 'auto', reads: 'off', author: '' });
  });
});
