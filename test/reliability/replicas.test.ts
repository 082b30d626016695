/** Reads from a replica: read-your-writes by consistency token, maximum lag, a stopped replica, and promotion. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { createApp } from '../../src/app.ts';
import { checkReplicas } from '../../src/cli/doctor/check-replicas.ts';
import { errorFinding, noteFinding, okFinding } from '../../src/cli/doctor/create-and-format-findings.ts';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { type Person, type Shop, TestApp } from '../support/app.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

const header = 'x-consistency-token';
/** Consistency token before any write. */
const initialPosition = { [header]: '0/0' };

let primary: PostgresServer;
let replica: PostgresServer;
/** Gateway with REPLICA_MAX_LAG=600s, longer than any test. */
let lenient: TestApp;
/** Gateway with REPLICA_MAX_LAG=2s. */
let strict: TestApp;
let shop: Shop;
let guest: Person;
let path: string;

async function createGateway(REPLICA_MAX_LAG: string, DATABASE_URL = primary.url): Promise<TestApp> {
  const config = readConfig({
    DATABASE_URL,
    DATABASE_REPLICA_URLS: replica.url,
    REPLICA_MAX_LAG,
    RATE_LIMIT: 'off',
  });
  const db = await openDb({
    url: config.databaseUrl,
    replicaUrls: config.databaseReplicaUrls,
    replicaMaxLagMs: config.replicaMaxLagMs,
  });
  return new TestApp(await createApp({ config, db, log: pino({ level: 'silent' }) }), db, []);
}

beforeAll(async () => {
  primary = await startPostgresServer();
  const db = await openDb({ url: primary.url });
  await migrate(db);
  await db.close();
  replica = await primary.createStandby('replica');
  [lenient, strict] = [await createGateway('600s'), await createGateway('2s')];
  shop = await lenient.shop();
  guest = await lenient.guest();
  path = `/v1/businesses/${shop.businessId}/products`;
});
afterAll(async () => {
  for (const { app, db } of [lenient, strict]) {
    await app.stop();
    await db.close();
  }
});

/** Waits until the gateway has seen the replica at this position. */
const waitForReplica = (t: TestApp, position = '0/0') =>
  expect.poll(() => t.db.replicas?.readerAt(position) !== undefined).toBe(true);

const nameOf = async (t: TestApp, as: Person | undefined, id: string, headers = {}) =>
  (await t.rest<{ name: string }>('GET', `${path}/${id}`, { as, headers })).body.name;

it('serves guests from a replica, serves writers their own writes, and checks preconditions on the primary', async () => {
  const created = await lenient.rest<{ id: string }>('POST', path, { as: shop.admin, body: { name: 'Old' } });
  const { id } = created.body;
  const before = created.headers.get(header) ?? '';
  expect(before).toMatch(/^[\dA-F]+\/[\dA-F]+$/);
  expect(created.headers.get('access-control-expose-headers')).toContain('X-Consistency-Token');
  await waitForReplica(lenient, before);
  await waitForReplica(strict, before);
  await replica.query('select pg_wal_replay_pause()');
  try {
    const changed = await strict.rest('PUT', `${path}/${id}`, { as: shop.admin, body: { name: 'New' } });
    const after = { [header]: changed.headers.get(header) ?? '' };
    expect({
      guest: await nameOf(lenient, guest, id),
      guestWithToken: await nameOf(lenient, guest, id, after),
      guestWithInvalidToken: await nameOf(lenient, guest, id, { [header]: 'soon' }),
      writer: await nameOf(lenient, shop.admin, id),
      writerWithToken: await nameOf(lenient, shop.admin, id, after),
      writerWithInitialToken: await nameOf(lenient, shop.admin, id, initialPosition),
      writerWithOldToken: await nameOf(lenient, shop.admin, id, { [header]: before }),
    }).toEqual({
      guest: 'Old',
      guestWithToken: 'New',
      guestWithInvalidToken: 'New',
      writer: 'New',
      writerWithToken: 'New',
      writerWithInitialToken: 'Old',
      writerWithOldToken: 'Old',
    });
    // Cached records are keyed by version: neither viewer gets the record of the other.
    const names = async (as: Person) =>
      (
        await lenient.graphql(
          'query ($b: ID!) { products(businessId: $b) { nodes { name version } } }',
          { b: shop.businessId },
          { as },
        )
      ).data;
    for (let repetition = 0; repetition < 4; repetition += 1) {
      expect(await names(guest)).toMatchObject({ products: { nodes: [{ name: 'Old' }] } });
      expect(await names(shop.admin)).toMatchObject({ products: { nodes: [{ name: 'New' }] } });
    }
    // The ETag of an outdated read is rejected by the primary.
    const outdated = await lenient.rest('GET', `${path}/${id}`, { as: shop.admin, headers: initialPosition });
    const late = await lenient.rest('PUT', `${path}/${id}`, {
      as: shop.admin,
      headers: { ...initialPosition, 'if-match': outdated.headers.get('etag') ?? '' },
      body: { name: 'Late' },
    });
    expect(late.status).toBe(412);
    // After two seconds the replica lags too far for the strict gateway.
    await expect.poll(() => nameOf(strict, guest, id)).toBe('New');
  } finally {
    await replica.query('select pg_wal_replay_resume()');
  }
  await expect.poll(() => nameOf(lenient, guest, id)).toBe('New');
});

const doctor = (DATABASE_REPLICA_URLS: string, REPLICA_MAX_LAG = '10s') =>
  checkReplicas(readConfig({ DATABASE_URL: primary.url, DATABASE_REPLICA_URLS, REPLICA_MAX_LAG }), strict.db);

it('reports the state of each replica in metrics and in the doctor', async () => {
  const name = `127.0.0.1:${replica.port}`;
  await waitForReplica(strict);
  await strict.rest('GET', path, { as: guest });
  const prometheus = createPrometheus();
  prometheus.registerGaugeSources({
    connections: strict.db.connections,
    caches: () => new Map(),
    liveStreams: () => 0,
    queues: async () => [],
    replicas: async () => strict.db.replicas?.status(),
  });
  const text = await prometheus.text();
  expect(text).toContain(`duet_replica_in_use{replica="${name}"} 1\n`);
  expect(text).toMatch(new RegExp(`^duet_replica_lag_seconds\\{replica="${name}"\\} [01]\\.`, 'm'));
  expect(text).toMatch(
    new RegExp(`^duet_replica_reads_total\\{replica="${name}",outcome="answered"\\} [1-9]`, 'm'),
  );
  expect(text).toMatch(/^duet_replica_operations_total\{server="replica"\} [1-9]/m);

  const stranger = new URL(inject('postgresTemplate'));
  expect(
    await doctor(`${replica.url},${primary.url},${stranger.href},postgresql://127.0.0.1:1/none`),
  ).toEqual([
    okFinding('replica', expect.stringMatching(`^${name} is up to date within \\d+ ms$`)),
    noteFinding('replica', expect.stringContaining('accepts writes, so it is the primary or was promoted')),
    errorFinding('replica', expect.stringMatching(`^${stranger.host} has another database`)),
    errorFinding(
      'replica',
      expect.stringMatching(/^127\.0\.0\.1:1 does not respond \(.+ECONNREFUSED.+\)\. Start it/),
    ),
  ]);
  await replica.query('select pg_wal_replay_pause()');
  try {
    await strict.rest('POST', path, { as: shop.admin, body: { name: 'Not there yet' } });
    expect(await doctor(replica.url, '300ms')).toEqual([
      errorFinding('replica', expect.stringMatching(`^${name} is \\d+ bytes behind for more than 300 ms`)),
    ]);
  } finally {
    await replica.query('select pg_wal_replay_resume()');
  }
});

it('skips a stopped replica, and uses it again after its restart', async () => {
  await waitForReplica(strict);
  await replica.stop();
  const created = await strict.rest<{ id: string }>('POST', path, {
    as: shop.admin,
    body: { name: 'Meanwhile' },
  });
  const reads = await Promise.all(Array.from({ length: 20 }, () => nameOf(strict, guest, created.body.id)));
  expect(new Set(reads)).toEqual(new Set(['Meanwhile']));
  expect((await strict.db.replicas?.status())?.servers).toMatchObject([{ inUse: false }]);
  await replica.start();
  await waitForReplica(strict, created.headers.get(header) ?? '');
  expect(await nameOf(strict, guest, created.body.id)).toBe('Meanwhile');
});

it('follows a promotion to the new primary without losing confirmed writes', async () => {
  await primary.query(`alter system set synchronous_standby_names = 'replica'`);
  await primary.query('select pg_reload_conf()');
  const synced = `select 1 from pg_stat_replication where sync_state = 'sync'`;
  await expect.poll(() => primary.query(synced)).toHaveLength(1);
  const both = `postgresql://duet@127.0.0.1:${replica.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`;
  const t = await createGateway('2s', both);
  const confirmed: string[] = [];
  const errorStatuses: number[] = [];
  let isOver = false;
  async function writer(): Promise<void> {
    while (!isOver) {
      const created = await t.rest<{ id: string }>('POST', path, { as: shop.admin, body: { name: 'Kept' } });
      if (created.status === 200) confirmed.push(created.body.id);
      else {
        errorStatuses.push(created.status);
        await sleep(50);
      }
    }
  }
  const writing = [writer(), writer(), writer()];
  await expect.poll(() => confirmed.length).toBeGreaterThan(20);
  await primary.stop();
  await expect.poll(() => errorStatuses.length).toBeGreaterThan(0);
  const before = confirmed.length;
  await replica.query('select pg_promote()');
  await expect.poll(() => confirmed.length).toBeGreaterThan(before + 20);
  isOver = true;
  await Promise.all(writing);
  expect(new Set(errorStatuses)).toEqual(new Set([503]));
  const rows = await replica.query<{ id: string }>('select id from products');
  const storedIds = new Set(rows.map(({ id }) => id));
  expect(confirmed.filter((id) => !storedIds.has(id))).toEqual([]);
  // Pipelined reads and the notification listener use the new primary too.
  const last = confirmed.at(-1) ?? '';
  expect(await nameOf(t, shop.admin, last)).toBe('Kept');
  await t.app.services.revocations.refresh();
  await expect
    .poll(() => replica.query(`select 1 from pg_stat_activity where application_name = 'duet revoked'`))
    .toHaveLength(1);
  await t.app.stop();
  await t.db.close();
});
