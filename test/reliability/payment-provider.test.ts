/**
 * Network faults between the gateway and the payment provider: confirmed payments and refunds are correct, and calls without a response
 * take effect at most once. `RELIABILITY=full` runs for `FAULTS_SECONDS` from `FAULTS_SEED`, and also stalls connections.
 */
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { runPendingJobs } from '../simulation/run-jobs.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { addProduct, createSellingShop, loadStock } from '../support/shop-fixtures.ts';
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts';
import { TestApp } from '../support/test-app.ts';
import { settleAndAudit } from './accounting/settle-and-audit.ts';
import { webhookSecret } from './accounting/stripe-activity.ts';
import { injectProviderFaults } from './payment-provider/fault-schedule.ts';
import { runSale, type Sale, type SalesWorkload } from './payment-provider/sales.ts';

const seconds = process.env.RELIABILITY === 'full' ? Number(process.env.FAULTS_SECONDS ?? 120) : 0;
const seed = Number(process.env.FAULTS_SEED ?? 1);
const clients = 4;
const stock = 100_000;

let t: TestApp;
let server: StripeServer;
let proxy: FaultProxy;
let load: SalesWorkload;

beforeAll(async () => {
  server = await startStripeServer();
  proxy = await startFaultProxy(server.url);
  const url = await testDatabaseUrl();
  const config = readConfig({
    DATABASE_URL: url,
    SEED_DEMO: 'off',
    RATE_LIMIT: 'off',
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: proxy.url,
    UNPAID_ORDERS_PER_CUSTOMER: '1000000',
    UNPAID_ORDERS_PER_ADDRESS: '1000000',
  });
  const db = await openDb({ url });
  const app = await createApp({ config, db, log: pino({ level: process.env.TEST_LOG ?? 'silent' }) });
  t = new TestApp(app, db, []);
  const shop = await createSellingShop(t);
  const product = await addProduct(t, shop, { price: 1000, stock });
  load = {
    t,
    server,
    shop,
    product,
    guest: await t.guest(),
    sales: [],
    abandonedCheckouts: 0,
    tally: new Map(),
  };
  return async () => {
    await app.stop();
    await db.close();
    await proxy.close();
  };
});

interface StoredOrder {
  total: number;
  captured: number;
  refunded: number;
  refunds: { amount: number; status: string }[];
}

async function loadOrder(orderId: string): Promise<StoredOrder> {
  const { data } = await t.graphql(
    `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) {
      total captured refunded refunds { amount status } } }`,
    { b: load.shop.businessId, id: orderId },
    { as: load.shop.admin },
  );
  return (data as unknown as { order: StoredOrder }).order;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

/** Differences between the confirmed state of a sale, the provider and the database. */
async function saleErrors({ orderId, sessionId, isPaid, refunds }: Sale): Promise<string[]> {
  const pages = [...server.sessions.values()].filter((page) =>
    String(page.client_reference_id).startsWith(`order:${orderId}`),
  );
  const confirmedPage = server.sessions.get(sessionId);
  const providerRefunds = [...server.refunds.values()]
    .filter(({ payment_intent }) => payment_intent === `pi_${sessionId}`)
    .map(({ amount }) => Number(amount));
  const order = await loadOrder(orderId);
  const confirmedRefunds = refunds.filter(({ isConfirmed }) => isConfirmed).map(({ amount }) => amount);
  const requestedRefunds = new Set(refunds.map(({ amount }) => amount));
  const checks: Readonly<Record<string, boolean>> = {
    'exactly one payment page exists': pages.length === 1 && pages[0] === confirmedPage,
    'the payment page has the total of the order': confirmedPage?.amount_total === order.total,
    'the payment is captured at most once': order.captured === (isPaid ? order.total : 0),
    'every confirmed refund exists at the provider': confirmedRefunds.every((amount) =>
      providerRefunds.includes(amount),
    ),
    'no refund is made twice': new Set(providerRefunds).size === providerRefunds.length,
    'every refund was requested': providerRefunds.every((amount) => requestedRefunds.has(amount)),
    'the refunded total is that of the provider': order.refunded === sum(providerRefunds),
    'the stored refunds are those of the provider':
      JSON.stringify(ascending(order.refunds.map(({ amount }) => amount))) ===
      JSON.stringify(ascending(providerRefunds)),
    'every refund has succeeded': order.refunds.every(({ status }) => status === 'SUCCEEDED'),
  };
  return Object.entries(checks)
    .filter(([, holds]) => !holds)
    .map(([check]) => `${orderId}: violated: ${check}`);
}

it(
  `captures and refunds once, seed ${seed}`,
  async () => {
    let isOver = false;
    const failedCheckouts = () => load.tally.get('Checkout 503') ?? 0;
    const client = async (number: number) => {
      const dice = new Dice(seed * 1000 + number);
      while (!isOver) await runSale(load, dice);
    };
    const running = Promise.all(Array.from({ length: clients }, (_item, number) => client(number)));
    const injectedFaults: string[] = [];
    try {
      const runJobs = async () => void (await runPendingJobs({ t }));
      await injectProviderFaults(
        { proxy, failedCheckouts, runJobs },
        new Dice(seed),
        seconds,
        injectedFaults,
      );
    } finally {
      isOver = true;
      proxy.restore();
      await running;
    }
    const counts = [...load.tally].sort().map(([outcome, count]) => `${outcome}: ${count}`);
    console.log(`${injectedFaults.join(', ')}. ${counts.join(', ')}`);

    expect(await settleAndAudit(t)).toEqual([]);
    const errors: string[] = [];
    for (const sale of load.sales) errors.push(...(await saleErrors(sale)));
    expect(errors).toEqual([]);
    const orders = await t.db.sql<{ id: string; quantity: number }>(
      `select id, (lines -> 0 ->> 'quantity')::int as quantity from orders where status <> 'CANCELLED'`,
    );
    expect(await loadStock(t, load.product)).toBe(stock - sum(orders.map(({ quantity }) => quantity)));
    const confirmedIds = new Set(load.sales.map(({ orderId }) => orderId));
    expect(orders.filter(({ id }) => !confirmedIds.has(id)).length).toBeLessThanOrEqual(
      load.abandonedCheckouts,
    );
    expect(counts.filter((outcome) => / 500:/.test(outcome))).toEqual([]);
    for (const outcome of ['Checkout 200', 'RefundOrder 200'])
      expect(load.tally.get(outcome)).toBeGreaterThan(0);
  },
  seconds * 1000 + 600_000,
);
