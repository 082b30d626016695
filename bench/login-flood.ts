/** `npm run bench:login-flood`: product reads, alone and during 200 sign-in attempts per second; p99 may grow by a factor of 3. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSigningKeys } from '../src/auth/signing-keys.ts';
import { createAuthTokenService } from '../src/auth/tokens.ts';
import { migrate } from '../src/db/migrations/migrate.ts';
import { openDb } from '../src/db/open.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { seedGeneratedCatalogue } from '../src/seed/generated-catalogue.ts';
import { demoShop, seedId } from '../src/seed/shop-data.ts';
import { median, percentile } from './load.ts';
import { duetProgram, startPostgres, startServer } from './servers.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 11);
const sliceMs = Number(process.env.BENCH_SLICE_MS ?? 2000);
const readsPerSecond = 100;
const loginsPerSecond = 200;
const maxRatio = 3;

const postgres = await startPostgres();
const db = await openDb({ url: postgres.url });
await migrate(db);
await seedDemo(db);
await seedGeneratedCatalogue(db, demoShop.businessId, 1000);
await db.script('vacuum analyze');
const { token } = await createAuthTokenService(await loadSigningKeys(db, undefined)).issueAccess({
  sub: demoShop.customerId,
  email: demoShop.customerEmail,
  provider: 'EMAIL',
});
await db.close();

const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'warn', NODE_ENV: 'test', SEED_DEMO: 'off' };
// With rate limits most attempts are rejected early; without them every attempt computes a password hash, which is the harder case.
const servers = {
  'limits on': await startServer(duetProgram, env, 'Duet'),
  'limits off': await startServer(duetProgram, { ...env, RATE_LIMIT: 'off' }, 'Duet'),
};

const agent = new Agent({ keepAlive: true });

interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const call = (port: number, options: Call): Promise<number> =>
  new Promise((resolve, reject) => {
    const { body, ...requestOptions } = options;
    const clientRequest = request({ port, host: '127.0.0.1', agent, ...requestOptions }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    // The server may close an idle keep-alive connection just before it is reused: retry on a new one.
    clientRequest.on('error', (error) =>
      clientRequest.reusedSocket ? resolve(call(port, options)) : reject(error),
    );
    clientRequest.end(body);
  });

const read = (): Call => ({
  method: 'GET',
  path: `/v1/businesses/${demoShop.businessId}/products/${seedId(0x100, 1 + Math.floor(Math.random() * 1000))}`,
  headers: { authorization: `Bearer ${token}` },
});

const login = (count: number): Call => ({
  method: 'POST',
  path: '/v1/users/login',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    provider: 'EMAIL',
    email: count % 2 === 0 ? demoShop.email : `nobody-${count}@people.example`,
    password: 'not the password',
  }),
});

interface Slice {
  latencies: number[];
  statuses: number[];
}

/** Open-loop load: calls start at a fixed rate, whether or not earlier ones have completed. */
async function runAtRate(port: number, perSecond: number, next: (count: number) => Call): Promise<Slice> {
  const slice: Slice = { latencies: [], statuses: [] };
  const pending: Promise<void>[] = [];
  const started = performance.now();
  for (let count = 0; count < (sliceMs / 1000) * perSecond; count += 1) {
    const due = started + (count * 1000) / perSecond;
    const waitMs = due - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const sentAt = performance.now();
    pending.push(
      call(port, next(count)).then((status) => {
        slice.latencies.push(performance.now() - sentAt);
        slice.statuses.push(status);
      }),
    );
  }
  await Promise.all(pending);
  return slice;
}

const results: Record<string, unknown>[] = [];
try {
  for (const [name, { port }] of Object.entries(servers)) {
    await runAtRate(port, readsPerSecond, read);
    const [idle, flooded, attempts]: [Slice[], Slice[], Slice[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      idle.push(await runAtRate(port, readsPerSecond, read));
      const [reads, logins] = await Promise.all([
        runAtRate(port, readsPerSecond, read),
        runAtRate(port, loginsPerSecond, login),
      ]);
      flooded.push(reads);
      attempts.push(logins);
    }
    // Median over rounds instead of a percentile of all reads: a pause of the whole machine affects only its own round.
    const at = (share: number, slices: Slice[]) =>
      Number(median(slices.map(({ latencies }) => percentile(latencies, share))).toFixed(2));
    const [idleP99, floodedP99] = [at(0.99, idle), at(0.99, flooded)];
    const statusCounts = new Map<number, number>();
    for (const status of attempts.flatMap((slice) => slice.statuses)) {
      statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
    }
    results.push({
      case: name,
      'idle p50 ms': at(0.5, idle),
      'flooded p50 ms': at(0.5, flooded),
      'idle p99 ms': idleP99,
      'flooded p99 ms': floodedP99,
      ratio: Number((floodedP99 / idleP99).toFixed(2)),
      'max ratio': maxRatio,
      errors: [...idle, ...flooded].flatMap((slice) => slice.statuses).filter((status) => status !== 200)
        .length,
      'sign-in statuses': [...statusCounts].map(([status, count]) => `${status}: ${count}`).join(', '),
    });
  }
} finally {
  agent.destroy();
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  await postgres.stop();
}
console.table(results);
process.exitCode = results.every(({ ratio, errors }) => Number(ratio) <= maxRatio && errors === 0) ? 0 : 1;
