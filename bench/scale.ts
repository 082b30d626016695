/**
 * `npm run bench:scale`: latency of requests in a large shop, as a ratio to a shop of 10,000 products and 1,000 orders.
 * `PRODUCTS` (default 1,000,000) and `ORDERS` (default a tenth of it) set its size. `KEEP=folder` stores both databases there for
 * another run: ten million products take an hour to fill.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadGatewayKeys } from '../src/auth/gateway-keys.ts';
import { createJwtService } from '../src/auth/sign-and-verify-tokens.ts';
import { migrate } from '../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../src/db/open-db.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { seedGeneratedCatalogue } from '../src/seed/generated-catalogue.ts';
import { buildSeedId, demoShopIdsAndLogins, disposableRecordIds } from '../src/seed/shop-data.ts';
import { httpRequest, load, median } from './load.ts';
import { fillOrders, multiplyProducts } from './multiply-rows.ts';
import { duetProgram, type Running, startPostgres, startServer } from './servers.ts';
import { checkoutBodyOf } from './world.ts';

const maxRatio = 1.3;
const small = { products: 10_000, orders: 1_000 };
const products = Number(process.env.PRODUCTS ?? 1_000_000);
const large = { products, orders: Number(process.env.ORDERS ?? products / 10) };
/** Number of distinct products that are requested: equal in both shops, so that both cache the same number of records. */
const requestedProducts = 1000;

interface Shop {
  size: typeof small;
  staff: string;
  guest: string;
  duet: Running;
}

/** Size of the database in bytes, including indexes. */
const databaseBytes = `select pg_database_size(current_database())::bigint as bytes`;

const keepFolder = process.env.KEEP;
const postgres = await startPostgres(keepFolder);
/** Marker file: exists once both databases are filled. */
const filledMarker = keepFolder && join(keepFolder, `filled with ${large.products} and ${large.orders}`);
const urlOf = (name: string) => postgres.url.replace(/bench$/, name);

const guestId = buildSeedId(0x300, 1);

async function fill(name: string, size: typeof small): Promise<void> {
  const url = urlOf(name);
  const db = await openDb({ url, statementTimeoutMs: 3_600_000 });
  const bytes = async () => (await db.sql<{ bytes: number }>(databaseBytes))[0]?.bytes ?? 0;
  await migrate(db);
  await seedDemo(db);
  const empty = await bytes();
  await seedGeneratedCatalogue(db, demoShopIdsAndLogins.businessId, small.products);
  await multiplyProducts(db, small.products, size.products);
  const withProducts = await bytes();
  await fillOrders(db, disposableRecordIds.orderId, size.orders);
  const withOrders = await bytes();
  const megabytesPerMillion = (growth: number, count: number) =>
    Math.round(((growth / count) * 1_000_000) / 1_048_576);
  console.log(
    `${name}: ${size.products} products at ${megabytesPerMillion(withProducts - empty, size.products)} MB per million,`,
    `${size.orders} orders at ${megabytesPerMillion(withOrders - withProducts, size.orders)} MB per million`,
  );
  await db.script('vacuum analyze');
  await db.prisma.user.create({ data: { id: guestId, isGuest: true, createdAt: 1, updatedAt: 1 } });
  await db.close();
}

async function open(name: string, size: typeof small): Promise<Shop> {
  const env = { DATABASE_URL: urlOf(name), LOG_LEVEL: 'warn', SEED_DEMO: 'off', RATE_LIMIT: 'off' };
  const duet = await startServer(duetProgram, env, 'Duet');
  const db = await openDb({ url: urlOf(name) });
  const tokens = createJwtService(await loadGatewayKeys(db, undefined));
  const staff = (await tokens.issueAccess({ sub: demoShopIdsAndLogins.adminId, provider: 'EMAIL' })).token;
  const guest = (await tokens.issueAccess({ sub: guestId, provider: 'GUEST' })).token;
  await db.close();
  return { size, staff, guest, duet };
}

let requestCount = 0;
/** Number of the next product to request, spread over the whole catalogue. */
function nextProductNumber({ size }: Shop): number {
  requestCount += 1;
  return 1 + ((requestCount * 7919) % requestedProducts) * Math.floor(size.products / requestedProducts);
}

const path = `/v1/businesses/${demoShopIdsAndLogins.businessId}`;
const get = (target: string, token: string) =>
  httpRequest('GET', `${path}${target}`, { authorization: `Bearer ${token}` });

const requests: Record<string, (shop: Shop) => string> = {
  list: ({ guest }) => get('/products?limit=20', guest),
  get: (shop) => get(`/products/${buildSeedId(0x100, nextProductNumber(shop))}`, shop.guest),
  search: (shop) => get(`/products?limit=20&query=sample-${nextProductNumber(shop)}`, shop.guest),
  'search for a common word and one without matches': ({ guest }) =>
    get('/products?limit=20&query=sample-xylophone', guest),
  'search for a word of all': ({ guest }) => get('/products?limit=20&query=catalogue', guest),
  'list of orders': ({ staff }) => get('/orders?limit=20', staff),
  checkout(shop) {
    const headers = { authorization: `Bearer ${shop.guest}` };
    return httpRequest('POST', `${path}/orders/checkout`, headers, checkoutBodyOf(nextProductNumber(shop)));
  },
};

/** Milliseconds per sequential request: the 25th percentile, which depends little on other load of the machine. */
async function latency(shop: Shop, request: (shop: Shop) => string, ms: number): Promise<number> {
  const slice = await load({ port: shop.duet.port, request: () => request(shop) }, 1, ms);
  if (slice.errors > 0) throw new Error(`${slice.errors} of ${slice.requests} requests failed.`);
  return slice.latencies.sort((a, b) => a - b)[Math.floor(slice.latencies.length / 4)] ?? 0;
}

/** Sends each request once before measuring: reads from disk are not part of the measurement. */
async function warmUp(shop: Shop, request: (shop: Shop) => string): Promise<void> {
  for (let done = 0; done < requestedProducts; )
    done += (await load({ port: shop.duet.port, request: () => request(shop) }, 8, 1000)).requests;
}

/** Requests per second of CPU time of the gateway, with eight connections. */
async function requestsPerCore(shop: Shop, request: (shop: Shop) => string): Promise<number> {
  const before = shop.duet.cpu();
  const slice = await load({ port: shop.duet.port, request: () => request(shop) }, 8, 3000);
  return slice.requests / ((shop.duet.cpu() - before) / 1_000_000);
}

let exceeded = 0;
const shops: Shop[] = [];
try {
  if (!filledMarker || !existsSync(filledMarker)) {
    const admin = await openDb({ url: postgres.url });
    for (const name of ['small', 'large']) await admin.script(`create database ${name}`);
    await admin.close();
    await fill('small', small);
    await fill('large', large);
    if (filledMarker) await writeFile(filledMarker, '');
  }
  // Started after both databases are filled: filling may take an hour, after which tokens expire.
  const [smallShop, largeShop] = [await open('small', small), await open('large', large)];
  shops.push(smallShop, largeShop);
  for (const [name, request] of Object.entries(requests)) {
    for (const shop of shops) await warmUp(shop, request);
    const rounds: [small: number, large: number][] = [];
    for (let round = 0; round < 5; round += 1)
      rounds.push([await latency(smallShop, request, 700), await latency(largeShop, request, 700)]);
    const ratio = median(rounds.map(([smallMs, largeMs]) => largeMs / smallMs));
    if (ratio > maxRatio) exceeded += 1;
    const rate = Math.round(await requestsPerCore(largeShop, request));
    const [smallMs, largeMs] = [0, 1].map((index) =>
      median(rounds.map((round) => round[index] ?? 0)).toFixed(2),
    );
    console.log(
      `${name}: ${smallMs} -> ${largeMs} ms, ${ratio.toFixed(2)} times; ${rate} per second and core`,
    );
  }
} finally {
  for (const { duet } of shops) await duet.stop();
  await postgres.stop();
}
console.log(exceeded === 0 ? `all within ${maxRatio} times` : `${exceeded} above ${maxRatio} times`);
process.exitCode = exceeded === 0 ? 0 : 1;
