/**
 * `npm run bench:memory`: memory of a gateway on PostgreSQL while it receives requests that differ in everything that a client can
 * choose: documents, fields, variables, credentials and addresses. Exit code 1 if it exceeds the maximum of docs/reference/configuration.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { generateDocument } from '../test/fuzz/documents.ts';
import { Dice } from '../test/simulation/seeded-random.ts';
import { duetProgram, startPostgres, startServer } from './servers.ts';
import { createWorld } from './world.ts';

const slices = Number(process.env.BENCH_SLICES ?? 8);
const requestsPerSlice = Number(process.env.BENCH_REQUESTS ?? 2500);
const productCount = Number(process.env.BENCH_PRODUCTS ?? 3000);
const connections = 16;
const maxMegabytes = 800;
const metricsToken = 'token-of-the-memory-bench';

const postgres = await startPostgres();
const world = await createWorld(postgres.url, productCount);
const server = await startServer(
  duetProgram,
  {
    DATABASE_URL: postgres.url,
    SEED_DEMO: 'off',
    METRICS_TOKEN: metricsToken,
    TRUST_PROXY: 'on',
    REQUEST_BUDGET: '1000000000',
  },
  'listening',
);
const origin = `http://127.0.0.1:${server.port}`;
const business = `/v1/businesses/${world.businessId}`;
const admin = { authorization: `Bearer ${world.token}` };
const fields = ['id', 'name', 'slug', 'status', 'description', 'variants', 'createdAt', 'version', 'gallery'];

/** Sends the request with this number; the same in every run, except for the product. */
async function send(number: number): Promise<void> {
  const dice = new Dice(number * 7919 + 1);
  const address = `198.18.${(number >> 8) & 255}.${number & 255}`;
  const productId = world.randomId(productCount);
  const call = async (path: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(origin + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'x-forwarded-for': address, 'content-type': 'application/json', ...headers },
    });
    await response.arrayBuffer();
  };
  const kind = dice.between(0, 9);
  if (kind < 5) {
    const { query, variables } = generateDocument(dice, { business: world.businessId, product: productId });
    // Documents that are run repeatedly are compiled.
    const runs = dice.chance(0.3) ? 4 : 1;
    for (let run = 0; run < runs; run += 1) await call('/graphql', admin, { query, variables });
  } else if (kind === 5) {
    const chosen = fields.filter(() => dice.chance(0.5));
    await call(`${business}/products/${productId}?fields=${chosen.join(',')}`, admin);
  } else if (kind === 6) {
    await call(`${business}/products/${productId}`, { 'x-api-key': String(number).repeat(100) });
  } else if (kind === 7) {
    const cursor = world.cursorAfter(productId);
    await call(`${business}/products?limit=${dice.between(1, 50)}&cursor=${cursor}`, admin);
  } else if (kind === 8) {
    await call(`${business}/products?search=${dice.between(0, 1_000_000)}&limit=5`, admin);
  } else await call('/v1/users/login', {}, { provider: 'GUEST' });
}

async function readMetrics(): Promise<{ megabytes: number; caches: string }> {
  const response = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const metrics = await response.text();
  const toMegabytes = (bytes: string | undefined) => Math.round(Number(bytes) / 1024 / 1024);
  const caches = [...metrics.matchAll(/^duet_cache_(entries|bytes)\{cache="(\w+)"\} (\S+)/gm)].map(
    ([, unit, name, value]) => `${name} ${unit === 'bytes' ? `${toMegabytes(value)} MB` : value}`,
  );
  const resident = /^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1];
  return { megabytes: toMegabytes(resident), caches: caches.join(', ') };
}

let sent = 0;
async function sendUntil(count: number): Promise<void> {
  while (sent < count) {
    sent += 1;
    await send(sent);
  }
}

let mostMegabytes = 0;
for (let slice = 0; slice <= slices; slice += 1) {
  await Promise.all(Array.from({ length: connections }, () => sendUntil(slice * requestsPerSlice)));
  await sleep(500);
  const { megabytes, caches } = await readMetrics();
  mostMegabytes = Math.max(mostMegabytes, megabytes);
  console.log(`${sent} requests: ${megabytes} MB resident; ${caches}`);
}
await server.stop();
await postgres.stop();
console.log(`At most ${mostMegabytes} MB resident; allowed: ${maxMegabytes} MB.`);
process.exitCode = mostMegabytes > maxMegabytes ? 1 : 0;
