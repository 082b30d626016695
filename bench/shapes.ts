/**
 * `npm run bench:shapes`: where objects get a hidden class of their own with every request, which V8 makes among old objects, slowly, and
 * does not find again. Mostly these are names that are added to a copy: `{ ...some, name }`. Says the line and column in the built file,
 * and the name.
 */
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Case, duetCases } from './cases.ts';
import { httpRequest, load } from './load.ts';
import { type Running, startPostgres, startServer } from './servers.ts';
import { createWorld, unlimited, type World } from './world.ts';

const warmUpMs = 2500;
const sliceMs = 700;
const connections = 8;
/** Of a hundred requests: rarer ones are those of what is kept for later. */
const most = 25;

const folder = await mkdtemp(join(tmpdir(), 'duet-shapes-'));
const log = join(folder, 'maps.log');

/** What was written to the log since it was this long. */
async function logSince(length: number): Promise<string> {
  // It is written in pieces.
  await sleep(300);
  const file = await open(log);
  try {
    const bytes = Buffer.alloc((await stat(log)).size - length);
    await file.read(bytes, 0, bytes.length, length);
    return bytes.toString();
  } finally {
    await file.close();
  }
}

/** New shapes by the reason, the place and the name. */
function shapesIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [kind, reason, , , , , row, column, why, name] = line.split(',');
    if (kind !== 'map') continue;
    const place = `${reason} ${row}:${column} ${why} ${name}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

/** What else is called often. */
function moreCases(world: World, server: Running): Case[] {
  const headers = { authorization: `Bearer ${world.token}` };
  const of = (name: string, request: () => string): Case => ({
    name,
    server,
    target: { port: server.port, request },
  });
  const rest = (path: string) => () =>
    httpRequest('GET', `/v1/businesses/${world.businessId}${path}`, headers);
  const graphql = (query: string) => () =>
    httpRequest('POST', '/graphql', headers, JSON.stringify({ query, variables: { b: world.businessId } }));
  return [
    of('REST entries', rest('/entries?limit=20')),
    of('REST collections', rest('/collections?limit=20')),
    of('REST search', rest('/products?search=cup&limit=20')),
    of('GraphQL nested', graphql(nested)),
    of('REST cart', rest('/carts/me')),
  ];
}

const nested = `query Nested($b: ID!) {
  orders(businessId: $b, first: 20) { nodes { id number lines { name returnableQuantity product { id } variant { sku } } } totalCount }
}`;

const postgres = await startPostgres();
let places = 0;
try {
  const world = await createWorld(postgres.url, 5000);
  const env = { ...unlimited, DATABASE_URL: postgres.url };
  // In files of their own, as they were compiled: that tells where a place is.
  const flags = ['--log-maps', `--logfile=${log}`, '--no-logfile-per-isolate', '--max-semi-space-size=64'];
  const server = await startServer([...flags, 'dist/src/main.js'], env, 'Duet');
  try {
    for (const { name, target } of [...(await duetCases(world, server, '')), ...moreCases(world, server)]) {
      await load(target, connections, warmUpMs);
      const { size } = await stat(log);
      const { requests, errors } = await load(target, connections, sliceMs);
      console.log(`${name}: ${requests} requests${errors > 0 ? `, ${errors} failed` : ''}`);
      for (const [place, count] of shapesIn(await logSince(size))) {
        if (count * 100 <= requests * most) continue;
        places += 1;
        console.log(`  ${(count / requests).toFixed(2)} a request: ${place}`);
      }
    }
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}
process.exitCode = places > 0 ? 1 : 0;
