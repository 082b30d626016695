/**
 * `npm run bench:shapes`: finds code that creates a new hidden class (V8 map) with every request. V8 allocates maps in old space, slowly,
 * and does not reuse these. The usual cause is a property added to a copy: `{ ...some, name }`. Prints line and column in the built file,
 * and the property name.
 */
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Case, duetCases } from './cases.ts';
import { httpRequest, load } from './load.ts';
import { type Running, startPostgres, startServer } from './servers.ts';
import { createWorld, unlimitedEnv, type World } from './world.ts';

const warmUpMs = 2500;
const sliceMs = 700;
const connections = 8;
/** Maximum number of new maps per 100 requests at one code position; rarer ones belong to cached objects. */
const maxPerHundred = 25;

const folder = await mkdtemp(join(tmpdir(), 'duet-shapes-'));
const log = join(folder, 'maps.log');

/** Content of the log after the first `offset` bytes. */
async function logSince(offset: number): Promise<string> {
  // V8 writes the log with a delay.
  await sleep(300);
  const file = await open(log);
  try {
    const bytes = Buffer.alloc((await stat(log)).size - offset);
    await file.read(bytes, 0, bytes.length, offset);
    return bytes.toString();
  } finally {
    await file.close();
  }
}

/** Number of new maps by reason, code position and property name. */
function countNewMaps(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [kind, reason, , , , , row, column, why, name] = line.split(',');
    if (kind !== 'map') continue;
    const key = `${reason} ${row}:${column} ${why} ${name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Further frequent requests. */
function additionalCases(world: World, server: Running): Case[] {
  const headers = { authorization: `Bearer ${world.token}` };
  const toCase = (name: string, request: () => string): Case => ({
    name,
    server,
    target: { port: server.port, request },
  });
  const rest = (path: string) => () =>
    httpRequest('GET', `/v1/businesses/${world.businessId}${path}`, headers);
  const graphql = (query: string) => () =>
    httpRequest('POST', '/graphql', headers, JSON.stringify({ query, variables: { b: world.businessId } }));
  return [
    toCase('REST entries', rest('/entries?limit=20')),
    toCase('REST collections', rest('/collections?limit=20')),
    toCase('REST search', rest('/products?search=cup&limit=20')),
    toCase('GraphQL nested', graphql(nested)),
    toCase('REST cart', rest('/carts/me')),
  ];
}

const nested = `query Nested($b: ID!) {
  orders(businessId: $b, first: 20) { nodes { id number lines { name returnableQuantity product { id } variant { sku } } } totalCount }
}`;

const postgres = await startPostgres();
let findings = 0;
try {
  const world = await createWorld(postgres.url, 5000);
  const env = { ...unlimitedEnv, DATABASE_URL: postgres.url };
  // The compiled files instead of the bundle, so that positions refer to source modules.
  const flags = ['--log-maps', `--logfile=${log}`, '--no-logfile-per-isolate', '--max-semi-space-size=64'];
  const server = await startServer([...flags, 'dist/src/main.js'], env, 'Duet');
  try {
    for (const { name, target } of [
      ...(await duetCases(world, server, '')),
      ...additionalCases(world, server),
    ]) {
      await load(target, connections, warmUpMs);
      const { size } = await stat(log);
      const { requests, errors } = await load(target, connections, sliceMs);
      console.log(`${name}: ${requests} requests${errors > 0 ? `, ${errors} failed` : ''}`);
      for (const [position, count] of countNewMaps(await logSince(size))) {
        if (count * 100 <= requests * maxPerHundred) continue;
        findings += 1;
        console.log(`  ${(count / requests).toFixed(2)} per request: ${position}`);
      }
    }
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}
process.exitCode = findings > 0 ? 1 : 0;
