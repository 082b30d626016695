/**
 * HAProxy, two gateways, Redis, PgBouncer, a primary and its replica under mixed load, while the gateways are restarted one after the
 * other and the replica dies. `RELIABILITY=full`: for a minute, and the replica is promoted.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demo } from '../../src/seed/shop-data.ts';
import { type Haproxy, haproxyVersion, startHaproxy } from '../support/haproxy.ts';
import { type Pgbouncer, pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import { startRedis } from '../support/redis.ts';

const full = process.env.RELIABILITY === 'full';
const isThere = haproxyVersion() !== undefined && pgbouncerVersion() !== undefined;
if (!isThere) console.log('HAProxy or PgBouncer is not installed: their test is skipped.');

const shop = `/v1/businesses/${demo.businessId}`;
const stock = 100_000;

interface Sent {
  token?: string;
  body?: object;
  position?: string | null;
}

interface Got {
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

describe.runIf(isThere)('all of it together', () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let pooler: Pgbouncer;
  let balancer: Haproxy;
  const gateways: Gateway[] = [];
  let staff: string;
  let guest: string;
  let pot: { productId: string; variantId: string };
  /** How many answers there were, and what of them was not as it should be. */
  let answers = 0;
  let unavailable = 0;
  const faults: string[] = [];

  /** As clients should: whoever is told to come back does so, with the same key. */
  async function call(method: string, path: string, { token, body, position }: Sent = {}): Promise<Got> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(position ? { 'x-consistency-token': position } : {}),
    };
    for (;;) {
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const answer = await fetch(`${balancer.url}${path}`, init);
      answers += 1;
      const got = {
        status: answer.status,
        position: answer.headers.get('x-consistency-token'),
        body: (await answer.json()) as Got['body'],
      };
      if (answer.status !== 503) return got;
      unavailable += 1;
      if (!/^(UNAVAILABLE|TIMEOUT)$/.test(got.body.error ?? '')) faults.push(JSON.stringify(got));
      await sleep(1000 * Number(answer.headers.get('retry-after') ?? 1));
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
    // Before any test: `expect.poll` is for those.
    await vi.waitFor(async () => expect(await balancer.readyGateways()).toBe(2), { timeout: 120_000 });
    const { email, password } = demo;
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
    const made = (await call('POST', `${shop}/products`, { token: staff, body })).body;
    pot = { productId: made.id, variantId: made.variants[0]?.id ?? '' };
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await balancer?.stop();
    await pooler?.stop();
  });

  const orders: string[] = [];
  const products: string[] = [];
  const expectFine = (what: string, { status, body }: Got, isRight = true) => {
    if (status !== 200 || !isRight) faults.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
  };

  async function reader(): Promise<void> {
    expectFine('list', await call('GET', `${shop}/products?limit=20`, { token: guest }));
    const path = `${shop}/products/${pot.productId}`;
    const { body, ...got } = await call('GET', path, { token: guest });
    expectFine('get', { ...got, body }, body.name === 'Teapot');
  }
  async function writer(): Promise<void> {
    const name = `Lamp ${randomUUID()}`;
    const made = await call('POST', `${shop}/products`, { token: staff, body: { name } });
    expectFine('create', made, made.position !== null);
    products.push(made.body.id);
    const path = `${shop}/products/${made.body.id}`;
    const own = await call('GET', path, { token: staff });
    expectFine('own', own, own.body.name === name);
    const told = await call('GET', path, { token: guest, position: made.position });
    expectFine('told', told, told.body.name === name);
  }
  async function buyer(): Promise<void> {
    const body = {
      businessId: demo.businessId,
      market: 'US',
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'standard',
      items: [{ ...pot, quantity: 1 }],
    };
    const sold = await call('POST', `${shop}/orders/checkout`, { token: guest, body });
    expectFine('checkout', sold);
    orders.push(sold.body.orderId);
  }

  /** What somebody is told who guesses a password at each of the gateways. */
  const guess = () =>
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
    'nothing confirmed is lost, nothing is wrong, and errors are few and documented',
    async () => {
      let over = false;
      const forever = async (step: () => Promise<void>) => {
        while (!over) await step().catch((error: unknown) => faults.push(String(error)));
      };
      const load = [reader, reader, reader, writer, buyer, buyer].map(forever);
      const begun = performance.now();
      await expect.poll(() => orders.length).toBeGreaterThan(5);
      for (let tries = 0; tries < 5; tries += 1) expect(await guess()).toEqual([422, 422]);
      for (const gateway of gateways) {
        expect(await gateway.stop()).toBe(0);
        await gateway.restart();
        await expect.poll(() => balancer.readyGateways()).toBe(2);
      }
      // They have counted together, and Redis remembers it while they are away.
      expect(await guess()).toEqual([429, 429]);
      await replica.stop();
      const soFar = products.length;
      await expect.poll(() => products.length).toBeGreaterThan(soFar + 2);
      if (full) {
        await replica.start();
        await primary.query('select pg_reload_conf()');
        const synced = `select 1 from pg_stat_replication where sync_state = 'sync'`;
        await expect.poll(() => primary.query(synced)).toHaveLength(1);
        await sleep(30_000 - (performance.now() - begun));
        await primary.stop();
        await replica.query('select pg_promote()');
        await pooler.switchServer(replica.url);
        await sleep(60_000 - (performance.now() - begun));
      }
      over = true;
      await Promise.all(load);
      console.log({ answers, unavailable, orders: orders.length, products: products.length });
      expect(faults).toEqual([]);
      const now = full ? replica : primary;
      const ids = async (table: string) =>
        new Set((await now.query<{ id: string }>(`select id from ${table}`)).map(({ id }) => id));
      const [kept, made] = [await ids('orders'), await ids('products')];
      expect(orders.filter((id) => !kept.has(id))).toEqual([]);
      expect(products.filter((id) => !made.has(id))).toEqual([]);
      expect(await now.query(`select quantity from variants where id = '${pot.variantId}'`)).toEqual([
        { quantity: stock - orders.length },
      ]);
      if (full) expect(unavailable / answers).toBeLessThan(0.01);
    },
    full ? 900_000 : undefined,
  );
});
