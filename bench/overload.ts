/**
 * `npm run bench:overload`: sends twice the requests that a core can serve. p99 of accepted requests must stay within five times p99 at
 * rest, and every request must get a response: a result, or a fast 503.
 */
import { countOtherThan, httpRequest, load, loadAtRate, median, percentile, type Target } from './load.ts';
import { duetProgram, startPostgres, startServer } from './servers.ts';
import { createWorld, hotProducts } from './world.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const sliceMs = Number(process.env.BENCH_SLICE_MS ?? 3000);
/** `MAX_CONCURRENCY` of the gateway. Low, so that an accepted request waits for few others. */
const concurrency = process.env.BENCH_CONCURRENCY ?? '4';
/** Requests per second. */
const restRate = 50;
const maxRatio = 5;

/** Costs more CPU time in the gateway than in the database or this client: `@include` prevents pre-rendered responses. */
const query = `query Page($businessId: ID!, $after: String, $all: Boolean!) {
  products(businessId: $businessId, first: 50, after: $after) {
    nodes { id name slug description @include(if: $all) variants @include(if: $all) { id sku attributes { name value } } }
  }
}`;

const postgres = await startPostgres();
const world = await createWorld(postgres.url, 5000);
const server = await startServer(
  duetProgram,
  {
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'error',
    MAX_CONCURRENCY: concurrency,
    NODE_ENV: 'test',
    RATE_LIMIT: 'off',
    SEED_DEMO: 'off',
  },
  'Duet',
);
try {
  const auth = { authorization: `Bearer ${world.token}` };
  const target: Target = {
    port: server.port,
    request: () => {
      const variables = {
        businessId: world.businessId,
        after: world.cursorAfter(world.randomId(hotProducts)),
        all: true,
      };
      return httpRequest('POST', '/graphql', auth, JSON.stringify({ query, variables }));
    },
  };
  const slots = Number(concurrency);
  await load(target, slots, 2 * sliceMs);
  const results: Record<string, number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const full = await load(target, slots, sliceMs);
    const capacity = full.requests / full.seconds;
    const rest = await loadAtRate(target, restRate, sliceMs);
    const overload = await loadAtRate(target, 2 * capacity, sliceMs);
    const p99 = { rest: percentile(rest.latencies, 0.99), overload: percentile(overload.latencies, 0.99) };
    results.push({
      'capacity/s': Math.round(capacity),
      'accepted/s at twice that': Math.round((overload.latencies.length / sliceMs) * 1000),
      rejected: overload.statuses.get(503) ?? 0,
      lost: countOtherThan(rest, 200, 503) + countOtherThan(overload, 200, 503),
      'p99 ms at rest': Number(p99.rest.toFixed(1)),
      'p99 ms of accepted requests': Number(p99.overload.toFixed(1)),
      ratio: Number((p99.overload / p99.rest).toFixed(2)),
    });
  }
  console.table(results);
  const ratio = median(results.map((result) => result.ratio ?? 0));
  console.log(`p99 of accepted requests: ${ratio} times p99 at rest (limit ${maxRatio})`);
  process.exitCode = ratio <= maxRatio && results.every(({ lost }) => lost === 0) ? 0 : 1;
} finally {
  await server.stop();
  await postgres.stop();
}
