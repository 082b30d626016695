/** A primary and a replica that follows it: who reads what where, when the replica is behind, and when it dies. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { createApp } from '../../src/app.ts';
import { checkReplicas } from '../../src/cli/doctor/check-replicas.ts';
import { errorFinding, noteFinding, okFinding } from '../../src/cli/doctor/finding.ts';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { openDb } from '../../src/db/open.ts';
import { type Person, type Shop, TestApp } from '../support/app.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

const header = 'x-consistency-token';
/** The position of somebody who has written nothing. */
const nothing = { [header]: '0/0' };

let primary: PostgresServer;
let replica: PostgresServer;
/** Content may be old for as long as a test takes. */
let patient: TestApp;
/** Content may be two seconds old. */
let strict: TestApp;
let shop: Shop;
let guest: Person;
let path: string;

async function gateway(REPLICA_MAX_LAG: string, DATABASE_URL = primary.url): Promise<TestApp> {
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
  [patient, strict] = [await gateway('600s'), await gateway('2s')];
  shop = await patient.shop();
  guest = await patient.guest();
  path = `/v1/businesses/${shop.businessId}/products`;
});
afterAll(async () => {
  for (const { app, db } of [patient, strict]) {
    await app.stop();
    await db.close();
  }
});

/** Until the gateway knows that the replica has what is at this position. */
const caughtUp = (t: TestApp, position = '0/0') =>
  expect.poll(() => t.db.replicas?.readerAt(position) !== undefined).toBe(true);

const nameOf = async (t: TestApp, as: Person | undefined, id: string, headers = {}) =>
  (await t.rest<{ name: string }>('GET', `${path}/${id}`, { as, headers })).body.name;

it('guests are answered by a replica, writers never miss what they wrote, and what is decided is decided by the primary', async () => {
  const made = await patient.rest<{ id: string }>('POST', path, { as: shop.admin, body: { name: 'Old' } });
  const { id } = made.body;
  const before = made.headers.get(header) ?? '';
  expect(before).toMatch(/^[\dA-F]+\/[\dA-F]+$/);
  expect(made.headers.get('access-control-expose-headers')).toContain('X-Consistency-Token');
  await caughtUp(patient, before);
  await caughtUp(strict, before);
  await replica.query('select pg_wal_replay_pause()');
  try {
    const changed = await strict.rest('PUT', `${path}/${id}`, { as: shop.admin, body: { name: 'New' } });
    const after = { [header]: changed.headers.get(header) ?? '' };
    expect({
      guest: await nameOf(patient, guest, id),
      guestWhoKnows: await nameOf(patient, guest, id, after),
      guestWithNonsense: await nameOf(patient, guest, id, { [header]: 'soon' }),
      writer: await nameOf(patient, shop.admin, id),
      writerWhoTells: await nameOf(patient, shop.admin, id, after),
      whoHasWrittenNothing: await nameOf(patient, shop.admin, id, nothing),
      whoHasSeenTheFirst: await nameOf(patient, shop.admin, id, { [header]: before }),
    }).toEqual({
      guest: 'Old',
      guestWhoKnows: 'New',
      guestWithNonsense: 'New',
      writer: 'New',
      writerWhoTells: 'New',
      whoHasWrittenNothing: 'Old',
      whoHasSeenTheFirst: 'Old',
    });
    // The same text by the same version, wherever it was read: nobody was given the other one's.
    const names = async (as: Person) =>
      (
        await patient.graphql(
          'query ($b: ID!) { products(businessId: $b) { nodes { name version } } }',
          { b: shop.businessId },
          { as },
        )
      ).data;
    for (let again = 0; again < 4; again += 1) {
      expect(await names(guest)).toMatchObject({ products: { nodes: [{ name: 'Old' }] } });
      expect(await names(shop.admin)).toMatchObject({ products: { nodes: [{ name: 'New' }] } });
    }
    // What they read is old, and the primary says so.
    const seen = await patient.rest('GET', `${path}/${id}`, { as: shop.admin, headers: nothing });
    const late = await patient.rest('PUT', `${path}/${id}`, {
      as: shop.admin,
      headers: { ...nothing, 'if-match': seen.headers.get('etag') ?? '' },
      body: { name: 'Late' },
    });
    expect(late.status).toBe(412);
    // Two seconds later it is too far behind for the other gateway.
    await expect.poll(() => nameOf(strict, guest, id)).toBe('New');
  } finally {
    await replica.query('select pg_wal_replay_resume()');
  }
  await expect.poll(() => nameOf(patient, guest, id)).toBe('New');
});

const doctor = (DATABASE_REPLICA_URLS: string, REPLICA_MAX_LAG = '10s') =>
  checkReplicas(readConfig({ DATABASE_URL: primary.url, DATABASE_REPLICA_URLS, REPLICA_MAX_LAG }), strict.db);

it('operators see how each replica does, and are told what to do', async () => {
  const name = `127.0.0.1:${replica.port}`;
  await caughtUp(strict);
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

it('a replica that dies is passed over, and comes back by itself', async () => {
  await caughtUp(strict);
  await replica.stop();
  const made = await strict.rest<{ id: string }>('POST', path, {
    as: shop.admin,
    body: { name: 'Meanwhile' },
  });
  const reads = await Promise.all(Array.from({ length: 20 }, () => nameOf(strict, guest, made.body.id)));
  expect(new Set(reads)).toEqual(new Set(['Meanwhile']));
  expect((await strict.db.replicas?.status())?.servers).toMatchObject([{ inUse: false }]);
  await replica.start();
  await caughtUp(strict, made.headers.get(header) ?? '');
  expect(await nameOf(strict, guest, made.body.id)).toBe('Meanwhile');
});

it('the replica is promoted: the gateway finds it, and has everything that was confirmed', async () => {
  await primary.query(`alter system set synchronous_standby_names = 'replica'`);
  await primary.query('select pg_reload_conf()');
  const synced = `select 1 from pg_stat_replication where sync_state = 'sync'`;
  await expect.poll(() => primary.query(synced)).toHaveLength(1);
  const both = `postgresql://duet@127.0.0.1:${replica.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`;
  const t = await gateway('2s', both);
  const confirmed: string[] = [];
  const others: number[] = [];
  let over = false;
  async function writer(): Promise<void> {
    while (!over) {
      const made = await t.rest<{ id: string }>('POST', path, { as: shop.admin, body: { name: 'Kept' } });
      if (made.status === 200) confirmed.push(made.body.id);
      else {
        others.push(made.status);
        await sleep(50);
      }
    }
  }
  const writing = [writer(), writer(), writer()];
  await expect.poll(() => confirmed.length).toBeGreaterThan(20);
  await primary.stop();
  await expect.poll(() => others.length).toBeGreaterThan(0);
  const before = confirmed.length;
  await replica.query('select pg_promote()');
  await expect.poll(() => confirmed.length).toBeGreaterThan(before + 20);
  over = true;
  await Promise.all(writing);
  expect(new Set(others)).toEqual(new Set([503]));
  const kept = await replica.query<{ id: string }>('select id from products');
  const there = new Set(kept.map(({ id }) => id));
  expect(confirmed.filter((id) => !there.has(id))).toEqual([]);
  // Short reads and live updates have moved, too.
  const last = confirmed.at(-1) ?? '';
  expect(await nameOf(t, shop.admin, last)).toBe('Kept');
  await t.app.services.revocations.refresh();
  await expect
    .poll(() => replica.query(`select 1 from pg_stat_activity where application_name = 'duet revoked'`))
    .toHaveLength(1);
  await t.app.stop();
  await t.db.close();
});
