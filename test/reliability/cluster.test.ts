/**
 * Cluster of HAProxy, two gateways, Redis, PgBouncer, a primary and a replica under mixed load, while the gateways are restarted one after
 * the other and the replica is stopped. `RELIABILITY=full` runs for a minute and promotes the replica.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import { type Haproxy, haproxyVersion, startHaproxy } from '../support/haproxy.ts';
import { type Pgbouncer, pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { startRedis } from '../support/redis.ts';

const full = process.env.RELIABILITY === 'full';
const isInstalled = haproxyVersion() !== undefined && pgbouncerVersion() !== undefined;
if (!isInstalled) console.log('HAProxy or PgBouncer is not installed: their test is skipped.');

const shop = `/v1/businesses/${demoShopIdsAndLogins.businessId}`;
const stock = 100_000;

interface CallOptions {
  token?: string;
  body?: object;
  position?: string | null;
}

interface CallResult {
  status: number;
  position: string | null;
  body: {
    id: string;
    name: string;
    orderId: string;
    accessToken: string;
    error?: string;
    variants: { id: string }[];
  };
}

describe.runIf(isInstalled)('a cluster', () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let pooler: Pgbouncer;
  let balancer: Haproxy;
  const gateways: Gateway[] = [];
  let staff: string;
  let guest: string;
  let teapot: { productId: string; variantId: string };
  let responses = 0;
  let unavailable = 0;
  const errors: string[] = [];

  /** Retries after 503 with the same idempotency key, as clients should. */
  async function call(
    method: string,
    path: string,
    { token, body, position }: CallOptions = {},
  ): Promise<CallResult> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(position ? { 'x-consistency-token': position } : {}),
    };
    for (;;) {
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const response = await fetch(`${balancer.url}${path}`, init);
      responses += 1;
      const result = {
        status: response.status,
        position: response.headers.get('x-consistency-token'),
        body: (await response.json()) as CallResult['body'],
      };
      if (response.status !== 503) return result;
      unavailable += 1;
      if (!/^(UNAVAILABLE|TIMEOUT)$/.test(result.body.error ?? '')) errors.push(JSON.stringify(result));
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  beforeAll(async () => {
    primary = await startPostgresServer();
    replica = await primary.createStandby('replica');
    await primary.query(`alter system set synchronous_standby_names = 'replica'`);
    pooler = await startPgbouncer(primary.url, 10);
    const env = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: `postgresql://duet@127.0.0.1:${primary.port},127.0.0.1:${replica.port}/postgres`,
      DATABASE_REPLICA_URLS: replica.url,
      REDIS_URL: (await startRedis()).url,
      RATE_LIMIT: 'on',
      REQUEST_BUDGET: '1000000000',
      SEED_DEMO: 'on',
      UNPAID_ORDERS_PER_CUSTOMER: '1000000',
      UNPAID_ORDERS_PER_ADDRESS: '1000000',
      OPERATION_TIMEOUT: '10s',
    };
    gateways.push(await startGateway(env), await startGateway(env));
    balancer = await startHaproxy(gateways);
    // `expect.poll` is available only in tests.
    await vi.waitFor(async () => expect(await balancer.readyGateways()).toBe(2), { timeout: 120_000 });
    const { email, password } = demoShopIdsAndLogins;
    const login = (body: object) => call('POST', '/v1/users/login', { body });
    staff = (await login({ provider: 'EMAIL', email, password })).body.accessToken;
    guest = (await login({ provider: 'GUEST' })).body.accessToken;
    const variant = {
      name: 'Small',
      sku: 'CLUSTER',
      pricing: { markets: [{ marketId: 'us', currency: 'USD', price: 1000 }] },
      inventory: { tracked: true, quantity: stock },
    };
    const body = { name: 'Teapot', status: 'ACTIVE', variants: [variant] };
    const product = (await call('POST', `${shop}/products`, { token: staff, body })).body;
    teapot = { productId: product.id, variantId: product.variants[0]?.id ?? '' };
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await balancer?.stop();
    await pooler?.stop();
  });

  const orders: string[] = [];
  const products: string[] = [];
  const checkResult = (label: string, { status, body }: CallResult, isCorrect = true) => {
    if (status !== 200 || !isCorrect)
      errors.push(`${label}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
  };

  async function reader(): Promise<void> {
    checkResult('list', await call('GET', `${shop}/products?limit=20`, { token: guest }));
    const path = `${shop}/products/${teapot.productId}`;
    const result = await call('GET', path, { token: guest });
    checkResult('get', result, result.body.name === 'Teapot');
  }
  async function writer(): Promise<void> {
    const name = `Lamp ${randomUUID()}`;
    const created = await call('POST', `${shop}/products`, { token: staff, body: { name } });
    checkResult('create', created, created.position !== null);
    products.push(created.body.id);
    const path = `${shop}/products/${created.body.id}`;
    const byWriter = await call('GET', path, { token: staff });
    checkResult('read by the writer', byWriter, byWriter.body.name === name);
    const withToken = await call('GET', path, { token: guest, position: created.position });
    checkResult('read with the consistency token', withToken, withToken.body.name === name);
  }
  async function buyer(): Promise<void> {
    const body = {
      businessId: demoShopIdsAndLogins.businessId,
      market: 'US',
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'standard',
      items: [{ ...teapot, quantity: 1 }],
    };
    const order = await call('POST', `${shop}/orders/checkout`, { token: guest, body });
    checkResult('checkout', order);
    orders.push(order.body.orderId);
  }

  /** Statuses of a sign-in with a wrong password at each gateway. */
  const guessPassword = () =>
    Promise.all(
      gateways.map(async ({ url }) => {
        const body = JSON.stringify({
          provider: 'EMAIL',
          email: 'guessed@people.example',
          password: 'guessed',
        });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`${url}/v1/users/login`, { method: 'POST', headers, body })).status;
      }),
    );

  it(
    'loses no confirmed write, returns no wrong response, and few errors, all documented',
    async () => {
      let isOver = false;
      const repeat = async (step: () => Promise<void>) => {
        while (!isOver) await step().catch((error: unknown) => errors.push(String(error)));
      };
      const load = [reader, reader, reader, writer, buyer, buyer].map(repeat);
      const startedAt = performance.now();
      await expect.poll(() => orders.length).toBeGreaterThan(5);
      for (let attempt = 0; attempt < 5; attempt += 1) expect(await guessPassword()).toEqual([422, 422]);
      for (const gateway of gateways) {
        expect(await gateway.stop()).toBe(0);
        await gateway.restart();
        await expect.poll(() => balancer.readyGateways()).toBe(2);
      }
      // The gateways share their counters in Redis, which survive the restarts.
      expect(await guessPassword()).toEqual([429, 429]);
      await replica.stop();
      const productsBefore = products.length;
      await expect.poll(() => products.length).toBeGreaterThan(productsBefore + 2);
      if (full) {
        await replica.start();
        await primary.query('select pg_reload_conf()');
        const synced = `select 1 from pg_stat_replication where sync_state = 'sync'`;
        await expect.poll(() => primary.query(synced)).toHaveLength(1);
        await sleep(30_000 - (performance.now() - startedAt));
        await primary.stop();
        await replica.query('select pg_promote()');
        await pooler.switchServer(replica.url);
        await sleep(60_000 - (performance.now() - startedAt));
      }
      isOver = true;
      await Promise.all(load);
      console.log({ responses, unavailable, orders: orders.length, products: products.length });
      expect(errors).toEqual([]);
      const currentPrimary = full ? replica : primary;
      const ids = async (table: string) =>
        new Set((await currentPrimary.query<{ id: string }>(`select id from ${table}`)).map(({ id }) => id));
      const [storedOrders, storedProducts] = [await ids('orders'), await ids('products')];
      expect(orders.filter((id) => !storedOrders.has(id))).toEqual([]);
      expect(products.filter((id) => !storedProducts.has(id))).toEqual([]);
      expect(
        await currentPrimary.query(`select quantity from variants where id = '${teapot.variantId}'`),
      ).toEqual([{ quantity: stock - orders.length }]);
      if (full) expect(unavailable / responses).toBeLessThan(0.01);
    },
    full ? 900_000 : undefined,
  );
});
