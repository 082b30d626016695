/**
 * `npm run bench:hostile`: reads and checkouts of guests and staff, alone and while one hostile caller of each kind takes all it can get.
 * p99 may grow by a factor of 3, and no request may fail. Limits are the defaults of a production gateway.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadGatewayKeys } from '../src/auth/gateway-keys.ts';
import { createJwtService } from '../src/auth/sign-and-verify-tokens.ts';
import { openDb } from '../src/db/open-db.ts';
import { GetProductDocument } from '../src/generated/operations.ts';
import { buildSeedId, demoShopIdsAndLogins } from '../src/seed/shop-data.ts';
import { type HostileCallerOptions, type HostileCallerStatuses, hostileCallers } from './hostile-callers.ts';
import { countOtherThan, httpRequest, loadAtRate, median, percentile, type RatedSlice } from './load.ts';
import { duetProgram, startPostgres, startServer } from './servers.ts';
import { createWorld, hotProducts } from './world.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const sliceMs = Number(process.env.BENCH_SLICE_MS ?? 5000);
const productCount = Number(process.env.BENCH_PRODUCTS ?? 5000);
const readsPerSecond = 40;
const checkoutsPerSecond = 10;
const maxRatio = 3;
/** Below `UNPAID_ORDERS_PER_CUSTOMER`. */
const checkoutsPerGuest = 4;
/** Time for the first requests of a hostile caller before the measurement begins. */
const leadMs = 1000;

const only = process.argv.includes('--only') ? process.argv.slice(process.argv.indexOf('--only') + 1) : [];
const kinds = Object.keys(hostileCallers).filter(
  (kind) => only.length === 0 || only.some((word) => kind.includes(word)),
);

const postgres = await startPostgres();
const world = await createWorld(postgres.url, productCount);
const owner = { accessToken: await createOwner(), businessId: world.bareShop };
const server = await startServer(
  duetProgram,
  {
    DATABASE_URL: postgres.url,
    NODE_ENV: 'production',
    SANDBOX: 'allowed',
    SEED_DEMO: 'off',
    TRUST_PROXY: 'on',
  },
  'listening',
);
const business = `/v1/businesses/${world.businessId}`;

/** Makes the demo customer the administrator of a business, and returns an access token. */
async function createOwner(): Promise<string> {
  const db = await openDb({ url: postgres.url });
  const { customerId: userId, customerEmail: email } = demoShopIdsAndLogins;
  const businessId = world.bareShop;
  const role = { id: buildSeedId(0x201, 2), businessId, name: 'ADMIN', permissions: ['ADMIN'] };
  await db.prisma.role.create({ data: { ...role, createdAt: 1, updatedAt: 1 } });
  await db.prisma.membership.create({ data: { businessId, userId, roleId: role.id, createdAt: 1 } });
  const keys = await loadGatewayKeys(db, undefined);
  const tokens = createJwtService(keys);
  const { token } = await tokens.issueAccess({ sub: userId, email, provider: 'EMAIL' });
  await db.close();
  return token;
}

let addresses = 0;
const nextAddress = () => {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
};

type Headers = Record<string, string>;

async function createGuest(address: string): Promise<{ accessToken: string; refreshToken: string }> {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: '{"provider":"GUEST"}',
  });
  if (!response.ok) throw new Error(`Sign-in of a guest: ${response.status} ${await response.text()}`);
  return (await response.json()) as { accessToken: string; refreshToken: string };
}

/** Headers of a new guest in a network of their own. */
async function createGuestHeaders(): Promise<Headers> {
  const address = nextAddress();
  const { accessToken } = await createGuest(address);
  return { 'x-forwarded-for': address, authorization: `Bearer ${accessToken}` };
}

/** Checkouts of a slice, and one more for rounding. */
const checkoutCount = Math.ceil((checkoutsPerSecond * sliceMs) / 1000) + 1;

const staff: Headers = { 'x-forwarded-for': '192.0.2.1', authorization: `Bearer ${world.token}` };

/** Guests read products and pages, in both protocols; staff read orders and products. */
function readRequest(guests: Headers[], count: number): string {
  const headers = guests[count % guests.length] ?? {};
  const id = world.randomId(hotProducts);
  const requests = [
    () => httpRequest('GET', `${business}/products/${id}`, headers),
    () => httpRequest('GET', `${business}/products?limit=20&cursor=${world.cursorAfter(id)}`, headers),
    () => {
      const variables = { businessId: world.businessId, id };
      return httpRequest(
        'POST',
        '/graphql',
        headers,
        JSON.stringify({ query: GetProductDocument.toString(), variables }),
      );
    },
    () => httpRequest('GET', `${business}/orders?limit=20`, staff),
    () => httpRequest('GET', `${business}/products/${id}`, staff),
  ];
  return requests[count % requests.length]?.() ?? '';
}

interface Measurement {
  reads: RatedSlice;
  checkouts: RatedSlice;
  /** CPU time of the gateway, in microseconds per second. */
  cpu: number;
}

const createGuests = () =>
  Promise.all(Array.from({ length: Math.ceil(checkoutCount / checkoutsPerGuest) }, createGuestHeaders));

async function measure(guests: Headers[]): Promise<Measurement> {
  let [readCount, checkedOut] = [0, 0];
  const readTarget = { port: server.port, request: () => readRequest(guests, readCount++) };
  const checkoutTarget = {
    port: server.port,
    request: () =>
      httpRequest(
        'POST',
        `${business}/orders/checkout`,
        guests[Math.floor(checkedOut++ / checkoutsPerGuest)] ?? {},
        world.checkoutBody(),
      ),
  };
  const [cpuBefore, startedAt] = [server.cpu(), performance.now()];
  const [reads, checkouts] = await Promise.all([
    loadAtRate(readTarget, readsPerSecond, sliceMs, 16),
    loadAtRate(checkoutTarget, checkoutsPerSecond, sliceMs, 16),
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  return { reads, checkouts, cpu: (server.cpu() - cpuBefore) / seconds };
}

/** `seconds`: duration of the attack. */
type AttackedMeasurement = Measurement & { attack: HostileCallerStatuses; seconds: number };

/** CPU time of the gateway for each response that the hostile caller got, in microseconds, without that for the other callers. */
function cpuPerResponse(idle: readonly Measurement[], attacked: readonly AttackedMeasurement[]): string {
  const idleCpu = median(idle.map(({ cpu }) => cpu));
  const perResponse = attacked.map(({ cpu, attack, seconds }) => {
    const responses = Object.entries(attack).filter(([status]) => Number(status) > 0);
    const perSecond = responses.reduce((sum, [, count]) => sum + count, 0) / seconds;
    return perSecond === 0 ? 0 : Math.max(0, cpu - idleCpu) / perSecond;
  });
  return median(perResponse).toFixed(0);
}

/** Measures while a new caller of this kind, in a network of its own, is at work. */
async function measureUnderAttack(kind: string): Promise<AttackedMeasurement> {
  const address = nextAddress();
  const { port } = server;
  const [guest, guests] = [await createGuest(address), await createGuests()];
  const options: HostileCallerOptions = { kind, port, businessId: world.businessId, address, guest, owner };
  const program = fileURLToPath(new URL('hostile-callers.ts', import.meta.url));
  const caller = fork(program, [JSON.stringify(options)]);
  // The measuring client and PostgreSQL run on the same core: this process gets the time that they leave.
  if (caller.pid !== undefined) setPriority(caller.pid, 19);
  const startedAt = performance.now();
  await sleep(leadMs);
  const measurement = await measure(guests);
  const reported = once(caller, 'message');
  caller.send('stop');
  const [attack] = (await reported) as [HostileCallerStatuses];
  return { ...measurement, attack, seconds: (performance.now() - startedAt) / 1000 };
}

const format = (statuses: Iterable<readonly [string | number, number]>) =>
  [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');

function sumStatuses(attacks: readonly HostileCallerStatuses[]): string {
  const sums = new Map<string, number>();
  for (const [status, count] of attacks.flatMap((attack) => Object.entries(attack)))
    sums.set(status, (sums.get(status) ?? 0) + count);
  return format(sums);
}

const table: Record<string, unknown>[] = [];
const failures: string[] = [];

function report(kind: string, idle: Measurement[], attacked: AttackedMeasurement[]) {
  for (const name of ['reads', 'checkouts'] as const) {
    // Median over rounds instead of a percentile of all requests: a pause of the whole machine affects only its own round.
    const at = (share: number, slices: Measurement[]) =>
      median(slices.map((slice) => percentile(slice[name].latencies, share)));
    const ratio = at(0.99, attacked) / at(0.99, idle);
    const slices = [...idle, ...attacked].map((slice) => slice[name]);
    const errors = slices.reduce((sum, slice) => sum + countOtherThan(slice, 200), 0);
    const failed = attacked
      .flatMap((slice) => [...slice[name].statuses])
      .filter(([status]) => status !== 200);
    table.push({
      'hostile caller': kind,
      others: name,
      'idle p50 ms': Number(at(0.5, idle).toFixed(1)),
      'p50 ms': Number(at(0.5, attacked).toFixed(1)),
      'idle p99 ms': Number(at(0.99, idle).toFixed(1)),
      'p99 ms': Number(at(0.99, attacked).toFixed(1)),
      ratio: Number(ratio.toFixed(2)),
      errors,
      'error statuses': format(failed),
      'its statuses': name === 'reads' ? sumStatuses(attacked.map(({ attack }) => attack)) : '',
      'CPU µs per response to it': name === 'reads' ? cpuPerResponse(idle, attacked) : '',
    });
    if (errors > 0) failures.push(`${kind}: ${errors} ${name} of others failed`);
    if (attacked.some(({ attack }) => Object.keys(attack).length === 0)) failures.push(`${kind}: no attack`);
    if (ratio > maxRatio) failures.push(`${kind}: p99 of ${name} is ${ratio.toFixed(1)} times p99 at rest`);
  }
}

try {
  await measure(await createGuests());
  for (const kind of kinds) {
    const idle: Measurement[] = [];
    const attacked: AttackedMeasurement[] = [];
    for (let round = 0; round < rounds; round += 1) {
      idle.push(await measure(await createGuests()));
      attacked.push(await measureUnderAttack(kind));
      await sleep(leadMs);
    }
    report(kind, idle, attacked);
  }
} finally {
  await server.stop();
  await postgres.stop();
}
console.table(table);
for (const message of failures) console.log(message);
process.exitCode = failures.length > 0 ? 1 : 0;
