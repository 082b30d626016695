/**
 * `npm run bench:overload`: twice the requests that a core can serve. Those it accepts are to be answered within five times what they
 * take at rest, and every one is: with an answer, or with a quick 503.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { httpRequest, type Line, load, median, openLine, percentile, type Target } from './load.ts';
import { duetProgram, startPostgres, startServer } from './servers.ts';
import { createWorld, hot } from './world.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const sliceMs = Number(process.env.BENCH_SLICE_MS ?? 3000);
/** Few at once: who is accepted waits for few others. */
const concurrency = process.env.BENCH_CONCURRENCY ?? '4';
const atRest = 50;
const bar = 5;

/** Work for the gateway rather than for the database or this client: a page that is put together anew each time. */
const query = `query Page($businessId: ID!, $after: String, $all: Boolean!) {
  products(businessId: $businessId, first: 50, after: $after) {
    nodes { id name slug description @include(if: $all) variants @include(if: $all) { id sku attributes { name value } } }
  }
}`;

interface Pace {
  accepted: number[];
  refused: number;
  /** Neither answered nor refused. */
  lost: number;
}

/** Connections that are there before the first request. */
const lines = 64;

/** Requests begin on time, whether or not earlier ones were answered: each on a connection that is free, or on a new one. */
async function pace({ port, request }: Target, perSecond: number): Promise<Pace> {
  const seen: Pace = { accepted: [], refused: 0, lost: 0 };
  const free: Line[] = await Promise.all(Array.from({ length: lines }, () => openLine(port)));
  const pending: Promise<void>[] = [];
  const one = async () => {
    const sent = performance.now();
    try {
      const line = free.pop() ?? (await openLine(port));
      const status = await line.ask(request());
      free.push(line);
      if (status === 503) seen.refused += 1;
      else if (status === 200) seen.accepted.push(performance.now() - sent);
      else seen.lost += 1;
    } catch {
      seen.lost += 1;
    }
  };
  const started = performance.now();
  let begun = 0;
  while (performance.now() - started < sliceMs) {
    const due = ((performance.now() - started) / 1000) * perSecond;
    for (; begun < due; begun += 1) pending.push(one());
    await sleep(1);
  }
  await Promise.all(pending);
  for (const line of free) line.close();
  return seen;
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
  const mixed: Target = {
    port: server.port,
    request: () => {
      const variables = {
        businessId: world.businessId,
        after: world.cursorAfter(world.anyId(hot)),
        all: true,
      };
      return httpRequest('POST', '/graphql', auth, JSON.stringify({ query, variables }));
    },
  };
  const places = Number(concurrency);
  await load(mixed, places, 2 * sliceMs);
  const results: Record<string, number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const most = await load(mixed, places, sliceMs);
    const capacity = most.requests / most.seconds;
    const rest = await pace(mixed, atRest);
    const over = await pace(mixed, 2 * capacity);
    const p99 = { rest: percentile(rest.accepted, 0.99), over: percentile(over.accepted, 0.99) };
    results.push({
      'served/s alone': Math.round(capacity),
      'served/s at twice that': Math.round((over.accepted.length / sliceMs) * 1000),
      refused: over.refused,
      lost: rest.lost + over.lost,
      'p99 ms at rest': Number(p99.rest.toFixed(1)),
      'p99 ms of the accepted': Number(p99.over.toFixed(1)),
      ratio: Number((p99.over / p99.rest).toFixed(2)),
    });
  }
  console.table(results);
  const ratio = median(results.map((one) => one.ratio ?? 0));
  console.log(`p99 of what is accepted: ${ratio} times that at rest (bar ${bar})`);
  process.exitCode = ratio <= bar && results.every(({ lost }) => lost === 0) ? 0 : 1;
} finally {
  await server.stop();
  await postgres.stop();
}
