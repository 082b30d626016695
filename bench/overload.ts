/**
 * `npm run bench:overload`: sends twice the requests that a core can serve. p99 of accepted requests must stay within five times p99 at
 * rest, and every request must get a response: a result, or a fast 503.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Connection,
  httpRequest,
  load,
  median,
  openConnection,
  percentile,
  type Target,
} from './load.ts';
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

interface RunResult {
  /** Latencies of responses with status 200, in milliseconds. */
  accepted: number[];
  /** Responses with status 503. */
  rejected: number;
  /** Requests with another status or without a response. */
  lost: number;
}

/** Connections that are opened before the first request. */
const initialConnections = 64;

/** Open-loop load: requests start at a fixed rate, whether or not earlier ones have completed, on an idle or a new connection. */
async function runAtRate({ port, request }: Target, perSecond: number): Promise<RunResult> {
  const result: RunResult = { accepted: [], rejected: 0, lost: 0 };
  const idle: Connection[] = await Promise.all(
    Array.from({ length: initialConnections }, () => openConnection(port)),
  );
  const pending: Promise<void>[] = [];
  const sendOne = async () => {
    const sentAt = performance.now();
    try {
      const connection = idle.pop() ?? (await openConnection(port));
      const status = await connection.send(request());
      idle.push(connection);
      if (status === 503) result.rejected += 1;
      else if (status === 200) result.accepted.push(performance.now() - sentAt);
      else result.lost += 1;
    } catch {
      result.lost += 1;
    }
  };
  const started = performance.now();
  let sent = 0;
  while (performance.now() - started < sliceMs) {
    const due = ((performance.now() - started) / 1000) * perSecond;
    for (; sent < due; sent += 1) pending.push(sendOne());
    await sleep(1);
  }
  await Promise.all(pending);
  for (const connection of idle) connection.close();
  return result;
}

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
    const rest = await runAtRate(target, restRate);
    const overload = await runAtRate(target, 2 * capacity);
    const p99 = { rest: percentile(rest.accepted, 0.99), overload: percentile(overload.accepted, 0.99) };
    results.push({
      'capacity/s': Math.round(capacity),
      'accepted/s at twice that': Math.round((overload.accepted.length / sliceMs) * 1000),
      rejected: overload.rejected,
      lost: rest.lost + overload.lost,
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
