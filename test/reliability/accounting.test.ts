/** Accounting consistency: random operations of customers, staff and the payment provider, while gateways are killed and one provider call in five fails. The audit must find nothing. */
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { now } from '../../src/lib/time.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { TestApp } from '../support/app.ts';
import { testDatabaseUrl, testDataDir } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import { addProduct, addPromoCode, createSellingShop } from '../support/shop-fixtures.ts';
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts';
import { pickOperation, recordPageUrl, remoteApp, type Walk } from './accounting/client-operations.ts';
import { findWrongBalances } from './accounting/provider-balances.ts';
import { settleAndAudit } from './accounting/settle-and-audit.ts';
import { type Provider, signEvent, simulateProvider, webhookSecret } from './accounting/stripe-activity.ts';

const full = process.env.RELIABILITY === 'full';
/** A gateway is killed every `stepsPerKill` steps, on an idle machine every few seconds. */
const sizeOf = (shortSteps: number) =>
  full
    ? { steps: 2000, stepsPerKill: 120 }
    : { steps: shortSteps, stepsPerKill: Math.floor(shortSteps * 0.6) };
const clients = 6;

const running = new Set<Gateway>();
afterAll(() => Promise.all([...running].map((gateway) => gateway.kill())));

const setups = {
  'PGlite, one process': {
    processes: 1,
    // A step takes five times as long as on PostgreSQL.
    size: sizeOf(20),
    createEnv: async () => ({ DATA_DIR: await testDataDir() }),
  },
  'PostgreSQL, two processes': {
    processes: 2,
    size: sizeOf(50),
    createEnv: async () => ({ DATABASE_URL: await testDatabaseUrl() }),
  },
} satisfies Record<
  string,
  { processes: number; size: ReturnType<typeof sizeOf>; createEnv(): Promise<Record<string, string>> }
>;

describe.each(Object.entries(setups))('%s', (name, { processes, size, createEnv }) => {
  let server: StripeServer;
  beforeAll(async () => {
    server = await startStripeServer();
  });

  it(
    `passes the audit after ${size.steps} steps`,
    async () => {
      const seed = Number(process.env.SEED ?? Date.now() % 100_000);
      const env = {
        ...(await createEnv()),
        ALLOWED_ORIGINS: 'http://shop.test',
        SEED_DEMO: 'off',
        LOG_LEVEL: 'silent',
        RATE_LIMIT: 'off',
        STRIPE_SECRET_KEY: 'sk_test_x',
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_API_BASE: server.url,
      };
      const walk = await withApp(env, prepareShop);
      const gateways = await Promise.all(Array.from({ length: processes }, () => startGateway(env)));
      for (const gateway of gateways) running.add(gateway);
      const chance = new Dice(seed);
      walk.gateway = () => chance.pick(gateways)?.url ?? '';
      server.failure = () => (chance.chance(0.2) ? chance.oneOf(['down', 'lost']) : undefined);
      walk.subscriptions = () => paidSubscriptionIds(server);
      const provider = simulateProvider(server, walk.pageUrls);

      let steps = 0;
      let kills = 0;
      let killing = Promise.resolve();
      const killNextGateway = async () => {
        const victim = gateways[kills % processes];
        kills += 1;
        await victim?.kill();
        await victim?.restart();
      };
      const client = async (number: number) => {
        const dice = new Dice(seed + number);
        while (steps < size.steps) {
          steps += 1;
          if (steps % size.stepsPerKill === 0) killing = killing.then(killNextGateway);
          server.refundStatus = dice.chance(0.4) ? 'pending' : 'succeeded';
          const choice = dice.between(1, 10);
          if (choice <= 3) provider.act(dice);
          else if (choice <= 5) await deliverRandomEvent(walk, provider, dice);
          else await pickOperation(dice)(walk, dice);
        }
      };
      await Promise.all(Array.from({ length: clients }, (_item, index) => client(index)));
      await killing;
      for (const gateway of gateways) await gateway.kill();
      provider.settle(chance);

      await withApp(env, async (t) => {
        const { services } = t.app;
        await t.db.write(
          `update orders set expires_at = $1 where expires_at is not null and right(id::text, 1) > '7'`,
          [now() - 1],
        );
        await expireOrders(services);
        server.failure = undefined;
        server.refundStatus = 'succeeded';
        expect([await settleAndAudit(t), seed]).toEqual([[], seed]);
        expect([await findWrongBalances(t, server), seed]).toEqual([[], seed]);
        const existing = await t.db.sql<{ id: string }>('select id from orders where id = any($1::uuid[])', [
          walk.orders,
        ]);
        expect(existing).toHaveLength(walk.orders.length);
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

/** Runs `work` with an app in this process. No gateway process may be running: the embedded database allows one process. */
async function withApp<T>(env: Record<string, string>, work: (t: TestApp) => Promise<T>): Promise<T> {
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

async function prepareShop(t: TestApp): Promise<Walk> {
  const shop = await createSellingShop(t);
  const products = [
    await addProduct(t, shop, { price: 1000, stock: 60 }),
    await addProduct(t, shop, { price: 2500, stock: 500 }),
    await addProduct(t, shop, { price: 700 }),
  ];
  await addPromoCode(t, shop, { code: 'WALK', type: 'PERCENTAGE', bps: 1000, maxUses: 25 });
  const plan = (id: string, amount: number, interval = {}) => ({
    id,
    name: id,
    price: { amount, currency: 'usd', ...interval },
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
  const pageUrls = new Set<string>();
  // Initial subscriptions, so that renewals occur from the first step on.
  for (let number = 1; number <= 4; number += 1) {
    const path = `/v1/businesses/${shop.businessId}/collections/${body.id}/subscribe`;
    const subscribed = await t.rest<unknown>('POST', path, {
      as: shop.admin,
      body: { email: `reader-${number}@people.example`, planId: number % 2 === 0 ? 'weekly' : 'monthly' },
    });
    recordPageUrl({ pageUrls }, subscribed.body);
  }
  const { secret } = t.app.services.keys;
  const tokenOf = (id: string) => createUnsubscribeToken(secret, shop.businessId, id);
  return {
    ...{ gateway: () => '', subscriptions: () => [], orders: [], pageUrls, tally: new Map<string, number>() },
    ...{ shop, newsletterId: body.id, products, buyers, tokenOf },
  };
}

/** Ids of subscriptions with a payment page. */
const paidSubscriptionIds = ({ sessions }: StripeServer): string[] => {
  const subjects = [...sessions.values()].map((page) => String(page.client_reference_id).split(':'));
  return [...new Set(subjects.flatMap(([kind, id = '']) => (kind === 'subscription' ? [id] : [])))];
};

/** Delivers a random pending event. An event that is not acknowledged with 200 is delivered again later. */
async function deliverRandomEvent({ gateway, tally }: Walk, { events }: Provider, dice: Dice): Promise<void> {
  const [event] = events.splice(dice.between(0, events.length - 1), 1);
  if (!event) return;
  const response = await remoteApp(gateway)
    .rest('POST', '/v1/payments/webhooks/stripe', await signEvent(event))
    .catch(() => undefined);
  const outcome = `event ${response?.status ?? 'no response'}`;
  tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  if (response?.status !== 200) events.push(event);
}
