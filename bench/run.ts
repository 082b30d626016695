/** `npm run bench`: short, interleaved slices of every case; each result is a ratio to the bare server in the same round. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadKeys } from '../src/auth/keys.ts';
import { createTokens } from '../src/auth/tokens.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDb } from '../src/db/open.ts';
import { seedCatalogue } from '../src/seed/catalogue.ts';
import { demo, seedId } from '../src/seed/data.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { productQueries } from './documents.ts';
import { httpRequest, load, median, percentile, type Slice, type Target } from './load.ts';
import { duetProgram, startPostgres, startServer } from './servers.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 21);
const sliceMs = Number(process.env.BENCH_SLICE_MS ?? 400);
/** Compilers of hot code need some thousand calls of each kind before they are done. */
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 5000);
const connections = Number(process.env.BENCH_CONNECTIONS ?? 16);

interface Case {
  name: string;
  target: Target;
  /** The bare case it is compared with; absent on the bare ones. */
  bare?: string;
  /** What the ratio must reach. */
  bar?: number;
}

const postgres = await startPostgres();
const db = await openDb({ url: postgres.url });
await migrate(db);
await seedDemo(db);
await seedCatalogue(db, demo.businessId, 1000);
// New products go to businesses of their own, so that every round lists the same twenty.
const [bareShop, duetShop] = [seedId(0x200, 1), seedId(0x200, 2)];
for (const id of [bareShop, duetShop]) {
  await db.prisma.business.create({ data: { id, name: id, slug: id, createdAt: 1, updatedAt: 1 } });
}
const roleId = seedId(0x201, 1);
const stamps = { createdAt: 1, updatedAt: 1 };
await db.prisma.role.create({
  data: { id: roleId, businessId: duetShop, name: 'ADMIN', permissions: ['ADMIN'], ...stamps },
});
await db.prisma.membership.create({
  data: { businessId: duetShop, userId: demo.adminId, roleId, createdAt: 1 },
});
await db.script('vacuum analyze');
const { token } = await createTokens(await loadKeys(db, undefined)).access({
  sub: demo.adminId,
  email: demo.email,
  provider: 'EMAIL',
});
await db.close();

const env = {
  DATABASE_URL: postgres.url,
  BUSINESS_ID: demo.businessId,
  CREATE_IN: bareShop,
  LOG_LEVEL: 'warn',
  NODE_ENV: 'test',
  RATE_LIMIT: 'off',
};
const bare = await startServer(['--import', 'tsx', 'bench/bare.ts'], env, 'ready');
const duet = await startServer(duetProgram, { ...env, SEED_DEMO: 'off' }, 'Duet');

const auth = { authorization: `Bearer ${token}` };
const products = `/v1/businesses/${demo.businessId}/products`;
const someId = () => seedId(0x100, 1 + Math.floor(Math.random() * 1000));
let made = 0;
const newProduct = () => {
  made += 1;
  const name = `bench-${process.pid}-${made}`;
  const prices = [
    { marketId: 'US', currency: 'USD', price: 1000 },
    { marketId: 'EU', currency: 'EUR', price: 900 },
  ];
  const variants = ['S', 'M', 'L'].map((size) => ({
    name: size,
    sku: `${name}-${size}`,
    attributes: [],
    pricing: { markets: prices },
    inventory: { tracked: true, quantity: 5 },
  }));
  return JSON.stringify({
    name,
    slug: name,
    description: 'Made by the benchmark.',
    gallery: [],
    blocks: [],
    variants,
  });
};
const fixed = (port: number, request: string): Target => ({ port, request: () => request });
const graphql = (query: string, variables: object) =>
  httpRequest('POST', '/graphql', auth, JSON.stringify({ query, variables }));

const cases: Case[] = [
  { name: 'bare list', target: fixed(bare.port, httpRequest('GET', '/products', {})) },
  {
    name: 'REST list',
    bare: 'bare list',
    bar: 0.8,
    target: fixed(duet.port, httpRequest('GET', `${products}?limit=20`, auth)),
  },
  {
    name: 'GraphQL list',
    bare: 'bare list',
    bar: 0.7,
    target: fixed(duet.port, graphql(productQueries.list, { businessId: demo.businessId, first: 20 })),
  },
  {
    name: 'bare get',
    target: { port: bare.port, request: () => httpRequest('GET', `/products/${someId()}`, {}) },
  },
  {
    name: 'REST get',
    bare: 'bare get',
    bar: 0.5,
    target: { port: duet.port, request: () => httpRequest('GET', `${products}/${someId()}`, auth) },
  },
  {
    name: 'GraphQL get',
    bare: 'bare get',
    bar: 0.4,
    target: {
      port: duet.port,
      request: () => graphql(productQueries.get, { businessId: demo.businessId, id: someId() }),
    },
  },
  {
    name: 'bare create',
    target: { port: bare.port, request: () => httpRequest('POST', '/products', {}, newProduct()) },
  },
  {
    name: 'REST create',
    bare: 'bare create',
    bar: 0.4,
    target: {
      port: duet.port,
      request: () => httpRequest('POST', `/v1/businesses/${duetShop}/products`, auth, newProduct()),
    },
  },
];

/** What a case leaves behind, for the garbage collector or for PostgreSQL, should not always meet the same next one. */
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

const slices = new Map<string, Slice[]>(cases.map(({ name }) => [name, []]));
try {
  for (const { name, target } of cases) {
    if (process.stdout.isTTY) process.stdout.write(`\rwarming up  ${name.padEnd(20)}`);
    await load(target, connections, warmUpMs);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, target } of shuffled(cases)) {
      slices.get(name)?.push(await load(target, connections, sliceMs));
      if (process.stdout.isTTY) process.stdout.write(`\rround ${round + 1}/${rounds}  ${name.padEnd(20)}`);
    }
  }
} finally {
  await Promise.all([bare.stop(), duet.stop()]);
  await postgres.stop();
}

const rate = ({ requests, seconds }: Slice) => requests / seconds;
const results = cases.map(({ name, bare: against, bar }) => {
  const own = slices.get(name) ?? [];
  const limit = slices.get(against ?? name) ?? [];
  const latencies = own.flatMap((slice) => slice.latencies);
  return {
    case: name,
    'requests/s': Math.round(median(own.map(rate))),
    'p50 ms': Number(percentile(latencies, 0.5).toFixed(2)),
    'p99 ms': Number(percentile(latencies, 0.99).toFixed(2)),
    ratio: Number(median(own.map((slice, round) => rate(slice) / rate(limit[round] ?? slice))).toFixed(2)),
    bar: bar ?? '',
    errors: own.reduce((sum, slice) => sum + slice.errors, 0),
  };
});
console.log();
console.table(results);
mkdirSync('bench/results', { recursive: true });
writeFileSync(
  'bench/results/latest.json',
  `${JSON.stringify({ node: process.version, rounds, sliceMs, connections, results }, null, 2)}\n`,
);
process.exitCode = results.every(
  ({ ratio, bar, errors }) => (typeof bar !== 'number' || ratio >= bar) && errors === 0,
)
  ? 0
  : 1;
