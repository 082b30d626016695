/** The books balance after anything: shoppers, staff and a provider at random, while gateways are killed and one call in five fails. */
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open.ts';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { now } from '../../src/lib/time.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { TestApp } from '../support/app.ts';
import { testDatabaseUrl, testDataDir } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import { addProduct, addPromoCode, createSellingShop } from '../support/shop-fixtures.ts';
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts';
import { type Provider, providerOf, signed, webhookSecret } from './walk/provider.ts';
import { settleBooks } from './walk/settle.ts';
import { moveFor, remoteApp, type Shoppers } from './walk/shoppers.ts';

const full = process.env.RELIABILITY === 'full';
/** A kill every so many steps: on an idle machine every few seconds. */
const size = full ? { steps: 2000, life: 120 } : { steps: 50, life: 30 };
const clients = 6;

const running = new Set<Gateway>();
afterAll(() => Promise.all([...running].map((gateway) => gateway.kill())));

const places = {
  'PGlite, one process': { processes: 1, at: async () => ({ DATA_DIR: await testDataDir() }) },
  'PostgreSQL, two processes': { processes: 2, at: async () => ({ DATABASE_URL: await testDatabaseUrl() }) },
} satisfies Record<string, { processes: number; at(): Promise<Record<string, string>> }>;

describe.each(Object.entries(places))('%s', (name, { processes, at }) => {
  let server: StripeServer;
  beforeAll(async () => {
    server = await startStripeServer();
  });

  it(
    `balances after ${size.steps} steps`,
    async () => {
      const seed = Number(process.env.SEED ?? Date.now() % 100_000);
      const env = {
        ...(await at()),
        ALLOWED_ORIGINS: 'http://shop.test',
        SEED_DEMO: 'off',
        LOG_LEVEL: 'silent',
        RATE_LIMIT: 'off',
        STRIPE_SECRET_KEY: 'sk_test_x',
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_API_BASE: server.url,
      };
      const walk = await within(env, prepare);
      const gateways = await Promise.all(Array.from({ length: processes }, () => startGateway(env)));
      for (const gateway of gateways) running.add(gateway);
      const chance = new Dice(seed);
      walk.gateway = () => chance.pick(gateways)?.url ?? '';
      server.failure = () => (chance.chance(0.2) ? chance.oneOf(['down', 'lost']) : undefined);
      walk.readers = () => readersOf(server);
      const provider = providerOf(server);

      let taken = 0;
      let kills = 0;
      let killing = Promise.resolve();
      const killOne = async () => {
        const victim = gateways[kills % processes];
        kills += 1;
        await victim?.kill();
        await victim?.restart();
      };
      const client = async (number: number) => {
        const dice = new Dice(seed + number);
        while (taken < size.steps) {
          taken += 1;
          if (taken % size.life === 0) killing = killing.then(killOne);
          server.refundStatus = dice.chance(0.4) ? 'pending' : 'succeeded';
          const act = dice.between(1, 10);
          if (act <= 3) provider.act(dice);
          else if (act <= 5) await tellOne(walk, provider, dice);
          else await moveFor(dice)(walk, dice);
        }
      };
      await Promise.all(Array.from({ length: clients }, (_item, index) => client(index)));
      await killing;
      for (const gateway of gateways) await gateway.kill();
      provider.settle(chance);

      await within(env, async (t) => {
        const { services } = t.app;
        await t.db.sql(
          `update orders set expires_at = $1 where expires_at is not null and right(id::text, 1) > '7'`,
          [now() - 1],
        );
        await expireOrders(services);
        server.failure = undefined;
        expect([await settleBooks(t), seed]).toEqual([[], seed]);
        const known = await t.db.sql<{ id: string }>('select id from orders where id = any($1::uuid[])', [
          walk.orders,
        ]);
        expect(known).toHaveLength(walk.orders.length);
      });
      const counts = [...walk.tally].sort().map(([outcome, count]) => `${outcome}: ${count}`);
      console.log(
        `${name}, seed ${seed}, ${kills} kills, ${walk.orders.length} orders. ${counts.join(', ')}`,
      );
      expect(counts.filter((outcome) => / 500:/.test(outcome))).toEqual([]);
    },
    full ? 900_000 : undefined,
  );
});

/** An app in this process, for as long as no gateway runs. */
async function within<T>(env: Record<string, string>, work: (t: TestApp) => Promise<T>): Promise<T> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = env;
  const embedded = { dataDir: join(dataDir, 'db'), template: inject('pgliteTemplate') };
  const db = await openDb(url === undefined ? embedded : { url });
  const app = await createApp({
    config: readConfig(env),
    db,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
  });
  try {
    return await work(new TestApp(app, db, []));
  } finally {
    await app.stop();
    await db.close();
  }
}

async function prepare(t: TestApp): Promise<Shoppers> {
  const shop = await createSellingShop(t);
  const goods = [
    await addProduct(t, shop, { price: 1000, stock: 60 }),
    await addProduct(t, shop, { price: 2500, stock: 500 }),
    await addProduct(t, shop, { price: 700 }),
  ];
  await addPromoCode(t, shop, { code: 'WALK', type: 'PERCENTAGE', bps: 1000, maxUses: 25 });
  const plan = (id: string, amount: number, more = {}) => ({
    id,
    name: id,
    price: { amount, currency: 'usd', ...more },
  });
  const plans = [
    plan('free', 0),
    plan('once', 700),
    plan('weekly', 500, { interval: 'WEEKLY' }),
    plan('monthly', 2000, { interval: 'MONTHLY' }),
  ];
  const { body } = await t.rest<{ id: string }>('POST', `/v1/businesses/${shop.businessId}/collections`, {
    as: shop.admin,
    body: { name: 'Letters', type: 'NEWSLETTER', plans },
  });
  const buyers = [await t.guest(), await t.person(), await t.person()];
  // Somebody reads already, so that there is something to renew from the first step on.
  for (let number = 1; number <= 4; number += 1)
    await t.rest('POST', `/v1/businesses/${shop.businessId}/collections/${body.id}/subscribe`, {
      as: shop.admin,
      body: { email: `reader-${number}@people.example`, planId: number % 2 === 0 ? 'weekly' : 'monthly' },
    });
  const { secret } = t.app.services.keys;
  const tokenOf = (id: string) => createUnsubscribeToken(secret, shop.businessId, id);
  const known = { gateway: () => '', readers: () => [], orders: [], tally: new Map<string, number>() };
  return { ...known, shop, letters: body.id, goods, buyers, tokenOf };
}

/** Whoever was sent to a page for a plan. */
const readersOf = ({ sessions }: StripeServer): string[] => {
  const subjects = [...sessions.values()].map((page) => String(page.client_reference_id).split(':'));
  return [...new Set(subjects.flatMap(([kind, id = '']) => (kind === 'subscription' ? [id] : [])))];
};

/** Any of what was not told yet. What gets no answer is told again later. */
async function tellOne({ gateway, tally }: Shoppers, { events }: Provider, dice: Dice): Promise<void> {
  const [event] = events.splice(dice.between(0, events.length - 1), 1);
  if (!event) return;
  const answer = await remoteApp(gateway)
    .rest('POST', '/v1/payments/webhooks/stripe', await signed(event))
    .catch(() => undefined);
  const outcome = `event ${answer?.status ?? 'no answer'}`;
  tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  if (answer?.status !== 200) events.push(event);
}
