/**
 * A payment provider behind a network that fails: who was told yes was told the truth, and what was lost in the middle is done once or
 * not at all. `RELIABILITY=full`: for `FAULTS_SECONDS`, from `FAULTS_SEED`, and connections are forgotten, too.
 */
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { runPendingJobs } from '../simulation/run-jobs.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { addProduct, createSellingShop, loadStock } from '../support/shop-fixtures.ts';
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts';
import { TestApp } from '../support/test-app.ts';
import { breakTheWay } from './payment-provider/fault-schedule.ts';
import { type Market, type Sale, trade } from './payment-provider/sales.ts';
import { webhookSecret } from './accounting/stripe-activity.ts';
import { settleBooks } from './accounting/settle-and-audit.ts';

const seconds = process.env.RELIABILITY === 'full' ? Number(process.env.FAULTS_SECONDS ?? 120) : 0;
const seed = Number(process.env.FAULTS_SEED ?? 1);
const clients = 4;
const stock = 100_000;

let t: TestApp;
let server: StripeServer;
let way: FaultProxy;
let market: Market;

beforeAll(async () => {
  server = await startStripeServer();
  way = await startFaultProxy(server.url);
  const url = await testDatabaseUrl();
  const config = readConfig({
    DATABASE_URL: url,
    SEED_DEMO: 'off',
    RATE_LIMIT: 'off',
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: way.url,
    UNPAID_ORDERS_PER_CUSTOMER: '1000000',
    UNPAID_ORDERS_PER_ADDRESS: '1000000',
  });
  const db = await openDb({ url });
  const app = await createApp({ config, db, log: pino({ level: process.env.TEST_LOG ?? 'silent' }) });
  t = new TestApp(app, db, []);
  const shop = await createSellingShop(t);
  const sold = await addProduct(t, shop, { price: 1000, stock });
  market = { t, server, shop, sold, guest: await t.guest(), sales: [], givenUp: 0, tally: new Map() };
  return async () => {
    await app.stop();
    await db.close();
    await way.close();
  };
});

interface Kept {
  total: number;
  captured: number;
  refunded: number;
  refunds: { amount: number; status: string }[];
}

async function keptOf(orderId: string): Promise<Kept> {
  const { data } = await t.graphql(
    `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) {
      total captured refunded refunds { amount status } } }`,
    { b: market.shop.businessId, id: orderId },
    { as: market.shop.admin },
  );
  return (data as unknown as { order: Kept }).order;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

/** What is not as people were told of one sale, at the provider or in our books. */
async function liesAbout({ orderId, sessionId, isPaid, refunds }: Sale): Promise<string[]> {
  const pages = [...server.sessions.values()].filter((page) =>
    String(page.client_reference_id).startsWith(`order:${orderId}`),
  );
  const told = server.sessions.get(sessionId);
  const atProvider = [...server.refunds.values()]
    .filter(({ payment_intent }) => payment_intent === `pi_${sessionId}`)
    .map(({ amount }) => Number(amount));
  const kept = await keptOf(orderId);
  const sure = refunds.filter(({ isSure }) => isSure).map(({ amount }) => amount);
  const maybe = new Set(refunds.map(({ amount }) => amount));
  const checks: Readonly<Record<string, boolean>> = {
    'the page is the only one': pages.length === 1 && pages[0] === told,
    'the page asks for the total': told?.amount_total === kept.total,
    'paid once, or not at all': kept.captured === (isPaid ? kept.total : 0),
    'every refund that was promised is made': sure.every((amount) => atProvider.includes(amount)),
    'no refund is made twice': new Set(atProvider).size === atProvider.length,
    'no refund comes out of nothing': atProvider.every((amount) => maybe.has(amount)),
    'our books have what went back': kept.refunded === sum(atProvider),
    'our refunds are those of the provider':
      JSON.stringify(ascending(kept.refunds.map(({ amount }) => amount))) ===
      JSON.stringify(ascending(atProvider)),
    'every refund has arrived': kept.refunds.every(({ status }) => status === 'SUCCEEDED'),
  };
  return Object.entries(checks)
    .filter(([, holds]) => !holds)
    .map(([what]) => `${orderId}: not so: ${what}`);
}

it(
  `takes and gives back money once, seed ${seed}`,
  async () => {
    let isOver = false;
    const refused = () => market.tally.get('Checkout 503') ?? 0;
    const client = async (number: number) => {
      const dice = new Dice(seed * 1000 + number);
      while (!isOver) await trade(market, dice);
    };
    const working = Promise.all(Array.from({ length: clients }, (_item, number) => client(number)));
    const broken: string[] = [];
    try {
      const work = async () => void (await runPendingJobs({ t }));
      await breakTheWay({ way, refused, work }, new Dice(seed), seconds, broken);
    } finally {
      isOver = true;
      way.restore();
      await working;
    }
    const counts = [...market.tally].sort().map(([outcome, count]) => `${outcome}: ${count}`);
    console.log(`${broken.join(', ')}. ${counts.join(', ')}`);

    expect(await settleBooks(t)).toEqual([]);
    const lies: string[] = [];
    for (const sale of market.sales) lies.push(...(await liesAbout(sale)));
    expect(lies).toEqual([]);
    const kept = await t.db.sql<{ id: string; quantity: number }>(
      `select id, (lines -> 0 ->> 'quantity')::int as quantity from orders where status <> 'CANCELLED'`,
    );
    expect(await loadStock(t, market.sold)).toBe(stock - sum(kept.map(({ quantity }) => quantity)));
    const known = new Set(market.sales.map(({ orderId }) => orderId));
    expect(kept.filter(({ id }) => !known.has(id)).length).toBeLessThanOrEqual(market.givenUp);
    expect(counts.filter((outcome) => / 500:/.test(outcome))).toEqual([]);
    for (const outcome of ['Checkout 200', 'RefundOrder 200'])
      expect(market.tally.get(outcome)).toBeGreaterThan(0);
  },
  seconds * 1000 + 600_000,
);
