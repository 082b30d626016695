/** Two gateways behind PgBouncer in transaction mode, sharing three connections: they sell, watch and call off as they do without. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open.ts';
import { type Person, TestApp } from '../support/app.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { lockTables } from '../support/locked-tables.ts';
import { type EventStream, openSubscription } from '../support/sse-client.ts';
import { type Pgbouncer, pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import { addProduct, type SellingShop, type SoldProduct, createSellingShop, loadStock } from '../support/shop-fixtures.ts';

const version = pgbouncerVersion();
if (version === undefined) console.log('PgBouncer is not installed: its test is skipped.');

describe.runIf(version !== undefined)('behind PgBouncer', () => {
  let pooler: Pgbouncer;
  let gateways: [TestApp, TestApp];
  let impatient: TestApp;
  let shop: SellingShop;
  let pot: SoldProduct;
  let guest: Person;
  const streams: EventStream[] = [];

  async function gateway(directUrl: string, patience: string): Promise<TestApp> {
    const env = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: directUrl,
      UNPAID_ORDERS_PER_CUSTOMER: '1000',
      UNPAID_ORDERS_PER_ADDRESS: '1000',
      OPERATION_TIMEOUT: patience,
    };
    const config = readConfig(env);
    const db = await openDb({ url: config.databaseUrl, directUrl: config.databaseDirectUrl, poolSize: 10 });
    return new TestApp(await createApp({ config, db, log: pino({ level: 'silent' }) }), db, []);
  }

  beforeAll(async () => {
    const directUrl = await auditedDatabaseUrl();
    pooler = await startPgbouncer(directUrl, 3);
    gateways = [await gateway(directUrl, '60s'), await gateway(directUrl, '60s')];
    impatient = await gateway(directUrl, '3s');
    const [t] = gateways;
    shop = await createSellingShop(t);
    guest = await t.guest();
    pot = await addProduct(t, shop, { stock: 30 });
  });
  afterAll(async () => {
    await Promise.all(streams.map((stream) => stream.close()));
    for (const { app, db } of [...gateways, impatient]) {
      await app.stop();
      await db.close();
    }
    await pooler.stop();
  });

  const other = (index: number) => gateways[index % 2] as TestApp;

  it('products are made and listed by many at once', async () => {
    const path = `/v1/businesses/${shop.businessId}/products`;
    const names = Array.from({ length: 40 }, (_, index) => `Lamp ${index}`);
    const made = await Promise.all(
      names.map((name, index) => other(index).rest('POST', path, { as: shop.admin, body: { name } })),
    );
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 200));
    const lists = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((index) =>
        other(index).rest<{ items: { name: string }[] }>('GET', `${path}?limit=100`, { as: guest }),
      ),
    );
    for (const { body } of lists)
      expect(body.items.map(({ name }) => name).sort()).toEqual([...names, 'Teapot'].sort());
  });

  it('a checkout takes stock once, whoever asks at the same time, and is seen live elsewhere', async () => {
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
      items: [{ ...pot, quantity: 2 }],
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        other(index).rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, { as: guest, body }),
      ),
    );
    const sold = answers.filter(({ status }) => status === 200).map((answer) => answer.body.orderId);
    expect([sold.length, answers.filter(({ status }) => status === 422).length]).toEqual([15, 5]);
    expect(await loadStock(here, pot)).toBe(0);
    const seen = () =>
      stream.received.map(({ data }) => (data?.orderChanged as { id: string } | undefined)?.id).sort();
    await expect.poll(seen).toEqual(expect.arrayContaining([...sold].sort()));
  });

  it('what takes too long is called off at the server', async () => {
    const [there] = gateways;
    const held = await lockTables(there.db, 'businesses');
    try {
      const path = `/v1/businesses/${shop.businessId}`;
      const late = await impatient.rest('PUT', path, { as: shop.admin, body: { name: 'Late' } });
      expect([late.status, late.body.error]).toEqual([503, 'TIMEOUT']);
      await expect
        .poll(() =>
          held.tx.sql(
            `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        )
        .toEqual([]);
    } finally {
      await held.release();
    }
  });

  it('jobs run, and no session of the pooler keeps a setting', async () => {
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
