/**
 * `npm run bench:scale`: what a request costs in a large shop, as a ratio to a shop of 10,000 products and 1,000 orders.
 * `PRODUCTS` (1,000,000) and `ORDERS` (a tenth of it) say how large. `KEEP=folder` leaves both shops there for another run: ten
 * million products take an hour to fill.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSigningKeys } from '../src/auth/signing-keys.ts';
import { createTokens } from '../src/auth/tokens.ts';
import { migrate } from '../src/db/migrations/migrate.ts';
import { openDb } from '../src/db/open.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { seedCatalogue } from '../src/seed/sample-catalogue.ts';
import { demo, disposableRecords, seedId } from '../src/seed/shop-data.ts';
import { httpRequest, load, median } from './load.ts';
import { fillOrders, multiplyProducts } from './multiply.ts';
import { duetProgram, type Running, startPostgres, startServer } from './servers.ts';
import { boughtOf } from './world.ts';

const bar = 1.3;
const small = { products: 10_000, orders: 1_000 };
const products = Number(process.env.PRODUCTS ?? 1_000_000);
const large = { products, orders: Number(process.env.ORDERS ?? products / 10) };
/** Asked for in turn: as many in either shop, so that both keep as much in memory. */
const asked = 1000;

interface Shop {
  size: typeof small;
  staff: string;
  guest: string;
  duet: Running;
}

/** Bytes of the database, all indexes included. */
const bytesNow = `select pg_database_size(current_database())::bigint as bytes`;

const keep = process.env.KEEP;
const postgres = await startPostgres(keep);
/** Says that both are filled. */
const sign = keep && join(keep, `filled with ${large.products} and ${large.orders}`);
const address = (name: string) => postgres.url.replace(/bench$/, name);

const guestId = seedId(0x300, 1);

async function fill(name: string, size: typeof small): Promise<void> {
  const url = address(name);
  const db = await openDb({ url, statementTimeoutMs: 3_600_000 });
  const bytes = async () => (await db.sql<{ bytes: number }>(bytesNow))[0]?.bytes ?? 0;
  await migrate(db);
  await seedDemo(db);
  const empty = await bytes();
  await seedCatalogue(db, demo.businessId, small.products);
  await multiplyProducts(db, small.products, size.products);
  const filled = await bytes();
  await fillOrders(db, disposableRecords.orderId, size.orders);
  const sold = await bytes();
  const megabytes = (by: number, count: number) => Math.round(((by / count) * 1_000_000) / 1_048_576);
  console.log(
    `${name}: ${size.products} products at ${megabytes(filled - empty, size.products)} MB a million,`,
    `${size.orders} orders at ${megabytes(sold - filled, size.orders)} MB a million`,
  );
  await db.script('vacuum analyze');
  await db.prisma.user.create({ data: { id: guestId, isGuest: true, createdAt: 1, updatedAt: 1 } });
  await db.close();
}

async function open(name: string, size: typeof small): Promise<Shop> {
  const env = { DATABASE_URL: address(name), LOG_LEVEL: 'warn', SEED_DEMO: 'off', RATE_LIMIT: 'off' };
  const duet = await startServer(duetProgram, env, 'Duet');
  const db = await openDb({ url: address(name) });
  const tokens = createTokens(await loadSigningKeys(db, undefined));
  const staff = (await tokens.issueAccess({ sub: demo.adminId, provider: 'EMAIL' })).token;
  const guest = (await tokens.issueAccess({ sub: guestId, provider: 'GUEST' })).token;
  await db.close();
  return { size, staff, guest, duet };
}

let turn = 0;
/** Spread over the whole catalogue. */
function anyNumber({ size }: Shop): number {
  turn += 1;
  return 1 + ((turn * 7919) % asked) * Math.floor(size.products / asked);
}

const path = `/v1/businesses/${demo.businessId}`;
const get = (target: string, token: string) =>
  httpRequest('GET', `${path}${target}`, { authorization: `Bearer ${token}` });

const requests: Record<string, (shop: Shop) => string> = {
  list: ({ guest }) => get('/products?limit=20', guest),
  get: (shop) => get(`/products/${seedId(0x100, anyNumber(shop))}`, shop.guest),
  search: (shop) => get(`/products?limit=20&query=sample-${anyNumber(shop)}`, shop.guest),
  'search for a common word and one that is nowhere': ({ guest }) =>
    get('/products?limit=20&query=sample-xylophone', guest),
  'search for a word of all': ({ guest }) => get('/products?limit=20&query=catalogue', guest),
  'list of orders': ({ staff }) => get('/orders?limit=20', staff),
  checkout(shop) {
    const headers = { authorization: `Bearer ${shop.guest}` };
    return httpRequest('POST', `${path}/orders/checkout`, headers, boughtOf(anyNumber(shop)));
  },
};

/** Milliseconds of one request after the other: of the fast ones, so that others on the machine count little. */
async function cost(shop: Shop, request: (shop: Shop) => string, ms: number): Promise<number> {
  const slice = await load({ port: shop.duet.port, request: () => request(shop) }, 1, ms);
  if (slice.errors > 0) throw new Error(`${slice.errors} of ${slice.requests} requests failed.`);
  return slice.latencies.sort((a, b) => a - b)[Math.floor(slice.latencies.length / 4)] ?? 0;
}

/** Asks for everything once that is asked for in turn: what a large shop keeps on its disk is not what is measured. */
async function warm(shop: Shop, request: (shop: Shop) => string): Promise<void> {
  for (let done = 0; done < asked; )
    done += (await load({ port: shop.duet.port, request: () => request(shop) }, 8, 1000)).requests;
}

/** Requests a second of processor time of the gateway, eight at a time. */
async function perCore(shop: Shop, request: (shop: Shop) => string): Promise<number> {
  const before = shop.duet.cpu();
  const slice = await load({ port: shop.duet.port, request: () => request(shop) }, 8, 3000);
  return slice.requests / ((shop.duet.cpu() - before) / 1_000_000);
}

let missed = 0;
const shops: Shop[] = [];
try {
  if (!sign || !existsSync(sign)) {
    const admin = await openDb({ url: postgres.url });
    for (const name of ['small', 'large']) await admin.script(`create database ${name}`);
    await admin.close();
    await fill('small', small);
    await fill('large', large);
    if (sign) await writeFile(sign, '');
  }
  // Both now: what was built may be another after an hour, and tokens end.
  const [few, many] = [await open('small', small), await open('large', large)];
  shops.push(few, many);
  for (const [name, request] of Object.entries(requests)) {
    for (const shop of shops) await warm(shop, request);
    const rounds: [few: number, many: number][] = [];
    for (let round = 0; round < 5; round += 1)
      rounds.push([await cost(few, request, 700), await cost(many, request, 700)]);
    const ratio = median(rounds.map(([one, other]) => other / one));
    if (ratio > bar) missed += 1;
    const rate = Math.round(await perCore(many, request));
    const [before, after] = [0, 1].map((at) => median(rounds.map((round) => round[at] ?? 0)).toFixed(2));
    console.log(`${name}: ${before} -> ${after} ms, ${ratio.toFixed(2)} times; ${rate} a second and core`);
  }
} finally {
  for (const { duet } of shops) await duet.stop();
  await postgres.stop();
}
console.log(missed === 0 ? `all within ${bar} times` : `${missed} above ${bar} times`);
process.exitCode = missed === 0 ? 0 : 1;
