import { duetCases } from './cases.ts';
import { load, percentile } from './load.ts';
import { startPostgres, startServer } from './servers.ts';
import { createWorld } from './world.ts';
const pg = await startPostgres();
const world = await createWorld(pg.url, 20000);
const env = { DATABASE_URL: pg.url, NODE_ENV: 'test', RATE_LIMIT: 'off', SEED_DEMO: 'off', LAGFILE: '/tmp/lag.txt' };
const server = await startServer(['--import', '/tmp/lag.mjs', ...(process.env.FLAGS ?? '').split(' ').filter(Boolean), '--max-semi-space-size=' + (process.env.SEMI ?? '64'), 'dist/server/main.js'], env, 'Duet');

const cases = await duetCases(world, server, '');
let marked = false;
for (const name of (process.env.CASES ?? 'REST get,REST page,REST create').split(',')) {
  const one = cases.find((c) => c.name === name)!;
  await load(one.target, 32, 5000);
  if (!marked) { server.signal('SIGUSR2'); marked = true; }
  const s = await load(one.target, 32, 8000);
  const l = s.latencies.sort((a, b) => a - b);
  const at = (q: number) => l[Math.floor(l.length * q)]!.toFixed(1);
  console.log(name, s.requests, 'p50', at(0.5), 'p90', at(0.9), 'p99', at(0.99), 'p99.9', at(0.999), 'max', at(0.99999));
}
await server.stop(); await pg.stop();
