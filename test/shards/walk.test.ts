/**
 * Seeded walk over three servers: orders, payments and stock while businesses move, and moves that are killed, continued or cancelled. After
 * every step each business is on exactly one server, with all its orders and its stock. `MOVE_WALK_STEPS` makes it longer, `MOVE_WALK_SEED`
 * repeats one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, inject, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { post } from '../reliability/network-faults/verified-workload.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { expectConsistentDatabase } from '../support/audited-databases.ts';
import { runDuet } from '../support/cli.ts';
import { fetchWithRetry, type Gateway, startGateway } from '../support/gateway-process.ts';
import { nodeFlags } from '../support/node-flags.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

const steps = Number(process.env.MOVE_WALK_STEPS ?? 5);
const seed = Number(process.env.MOVE_WALK_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const initialStock = 1_000_000;

interface WalkShop {
  id: string;
  productId: string;
  variantId: string;
  stock: number;
  /** Confirmed orders. */
  orders: Set<string>;
}

const names = ['home', 'second', 'third'] as const;
type Name = (typeof names)[number];

let servers: Record<Name, PostgresServer>;
let env: Record<string, string>;
let gateway: Gateway;
let guestToken: string;
let staffToken: string;
let shops: [WalkShop, ...WalkShop[]];

beforeAll(async () => {
  const [home, second, third] = await Promise.all([
    startPostgresServer(['wal_level=logical']),
    startPostgresServer(['wal_level=logical']),
    startPostgresServer(['wal_level=logical']),
  ]);
  servers = { home, second, third };
  env = {
    DATABASE_URL: home.url,
    DATABASE_SHARDS: `second=${second.url},third=${third.url}`,
    OPERATION_TIMEOUT: '500ms',
  };
  expect((await runDuet(['migrate'], { env })).stderr).toBe('');
  gateway = await startGateway({
    ...env,
    OPERATION_TIMEOUT: '60s',
    SEED_DEMO: 'on',
    USAGE: 'off',
    REQUEST_LOG: 'off',
    UNPAID_ORDERS_PER_CUSTOMER: '1000000',
    UNPAID_ORDERS_PER_ADDRESS: '1000000',
  });
  const { email, password } = demoShopIdsAndLogins;
  const signIn = async (body: object) =>
    (await post<{ accessToken: string }>(gateway.url, '/v1/users/login', body)).accessToken;
  staffToken = await signIn({ provider: 'EMAIL', email, password });
  guestToken = await signIn({ provider: 'GUEST' });
  shops = [await createShop(), await createShop(), await createShop()];
  return () => gateway.kill();
}, 240_000);

async function createShop(): Promise<WalkShop> {
  const { id } = await post<{ id: string }>(gateway.url, '/v1/businesses', { name: 'Walk' }, staffToken);
  const create = <Body>(path: string, body: object) =>
    post<Body>(gateway.url, `/v1/businesses/${id}/${path}`, body, staffToken);
  await create('markets', { code: 'US', currency: 'USD', taxBps: 0 });
  await create('shipping-methods', {
    id: 'standard',
    name: 'Standard',
    prices: [{ marketId: 'US', price: 500 }],
  });
  const product = await create<{ id: string; variants: { id: string }[] }>('products', {
    name: 'Tea',
    status: 'ACTIVE',
    variants: [
      {
        name: 'Small',
        sku: 'TEA',
        pricing: { markets: [{ marketId: 'us', currency: 'USD', price: 1000 }] },
        inventory: { tracked: true, quantity: initialStock },
      },
    ],
  });
  return {
    id,
    productId: product.id,
    variantId: product.variants[0]?.id ?? '',
    stock: initialStock,
    orders: new Set(),
  };
}

/** Places an order, with retries, and perhaps repeats the request or pays. */
async function sell(shop: WalkShop, dice: Dice): Promise<void> {
  const quantity = dice.between(1, 3);
  const { productId, variantId } = shop;
  const init: RequestInit = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${guestToken}`,
      'idempotency-key': newId(),
    },
    body: JSON.stringify({
      market: 'US',
      shippingMethodId: 'standard',
      items: [{ productId, variantId, quantity }],
    }),
  };
  const checkout = async () => {
    const response = await fetchWithRetry(`${gateway.url}/v1/businesses/${shop.id}/orders/checkout`, init);
    const body = (await response.json()) as { orderId: string; checkoutUrl: string };
    expect(response.status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const order = await checkout();
  shop.orders.add(order.orderId);
  shop.stock -= quantity;
  if (dice.chance(0.3)) {
    await sleep(dice.between(0, 500));
    expect((await checkout()).orderId).toBe(order.orderId);
  }
  if (!dice.chance(0.5)) return;
  const { pathname, search } = new URL(order.checkoutUrl);
  const paid = await fetchWithRetry(gateway.url + pathname + search, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'action=pay',
  });
  expect(paid.status).toBe(303);
}

/** Sells in all shops while `work` runs. */
async function whileSelling(dice: Dice, work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const sellers = shops.map(async (shop) => {
    while (!isOver) {
      await sell(shop, dice);
      await sleep(50);
    }
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(sellers);
  }
}

const findServer = async ({ id }: WalkShop): Promise<Name> => {
  const [placement] = await servers.home.query<{ shard: Name }>(
    `select shard from business_placements where business_id = '${id}'`,
  );
  return placement?.shard ?? 'home';
};

async function findUnfinishedMove({ id }: WalkShop): Promise<{ target: Name; step: string } | undefined> {
  const [move] = await servers.home.query<{ target: Name; step: string }>(
    `select target, step from business_moves where business_id = '${id}' and step in ('COPYING', 'REMOVING', 'SWITCHED')`,
  );
  return move;
}

async function runMove(...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runDuet(['move', ...args], { env });
  expect(code, stdout + stderr).toBe(0);
}

/** Continues or cancels the move of a shop that was killed before. */
async function resolveUnfinishedMove(shop: WalkShop, dice: Dice): Promise<void> {
  const move = await findUnfinishedMove(shop);
  if (!move) return;
  const mayCancel = move.step !== 'SWITCHED' && dice.chance(0.5);
  await runMove(shop.id, move.target, ...(mayCancel ? ['--cancel'] : []));
}

async function chooseTarget(shop: WalkShop, dice: Dice): Promise<Name> {
  const server = await findServer(shop);
  return dice.pick(names.filter((name) => name !== server)) ?? 'home';
}

/** Kills the move after a random time. */
async function killMove(shop: WalkShop, dice: Dice): Promise<void> {
  const target = await chooseTarget(shop, dice);
  const command = [...nodeFlags, join(inject('programs'), 'duet.js'), 'move', shop.id, target];
  const child = spawn(process.execPath, command, {
    cwd: packageRoot,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  // The first line is printed when the servers are open.
  await Promise.race([once(child.stdout, 'data'), exited]);
  child.stdout.resume();
  await Promise.race([sleep(dice.between(0, 4_000)), exited]);
  child.kill('SIGKILL');
  await exited;
  if (await isFenced(shop)) await resolveUnfinishedMove(shop, dice);
}

/** After a kill at the very moment of the switch, writes are rejected until the move is continued or cancelled. */
async function isFenced(shop: WalkShop): Promise<boolean> {
  const fences = await servers[await findServer(shop)].query(
    `select from business_write_fences where business_id = '${shop.id}' and reason <> 'SNAPSHOT'`,
  );
  return fences.length > 0;
}

/** What is wrong with a shop. */
async function findProblems(shop: WalkShop): Promise<string[]> {
  const server = await findServer(shop);
  const problems: string[] = [];
  const unfinished = await findUnfinishedMove(shop);
  for (const name of names) {
    const [state] = await servers[name].query<{
      exists: boolean;
      fenced: boolean;
      orders: string[];
      stock: number;
    }>(
      `select exists (select from businesses where id = '${shop.id}') as exists,
         exists (select from business_write_fences where business_id = '${shop.id}' and reason <> 'SNAPSHOT') as fenced,
         array(select id::text from orders where business_id = '${shop.id}') as orders,
         (select quantity from variants where id = '${shop.variantId}') as stock`,
    );
    if (!state) continue;
    if (name !== server) {
      if (state.exists && !unfinished) problems.push(`rows on ${name}, but the shop is on ${server}`);
      if (state.exists && !state.fenced)
        problems.push(`${name} accepts writes, but the shop is on ${server}`);
      continue;
    }
    const stored = new Set(state.orders);
    const missing = [...shop.orders].filter((id) => !stored.has(id));
    if (!state.exists) problems.push(`not on ${server}`);
    if (missing.length > 0) problems.push(`lost orders: ${missing}`);
    if (stored.size > shop.orders.size) problems.push(`${stored.size - shop.orders.size} orders too many`);
    if (state.stock !== shop.stock) problems.push(`stock ${state.stock} instead of ${shop.stock}`);
  }
  return problems;
}

async function step(dice: Dice): Promise<string> {
  const shop = dice.oneOf(shops);
  if (await findUnfinishedMove(shop)) {
    await whileSelling(dice, () => resolveUnfinishedMove(shop, dice));
    return 'resolve';
  }
  if (dice.chance(0.5)) {
    await whileSelling(dice, () => killMove(shop, dice));
    return 'kill';
  }
  await whileSelling(dice, async () => runMove(shop.id, await chooseTarget(shop, dice)));
  return 'move';
}

it(`keeps each business on one server in ${steps} steps of seed ${seed}`, {
  timeout: 3_600_000,
}, async () => {
  for (let number = 1; number <= steps; number += 1) {
    const done = await step(new Dice(seed * 1000 + number));
    for (const [index, shop] of shops.entries())
      expect([number, done, index, await findProblems(shop)]).toEqual([number, done, index, []]);
  }
  for (const shop of shops) {
    await resolveUnfinishedMove(shop, new Dice(seed));
    if ((await findServer(shop)) !== 'home') await runMove(shop.id, 'home');
    expect(await findProblems(shop)).toEqual([]);
  }
  await expectConsistentDatabase({ url: servers.home.url, poolSize: 2 });
});
