/** Steps of a move: a process that misses the switch, jobs, differences that are found before it, and a process killed in the middle of it. */
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/handles.ts';
import { openDb } from '../../src/db/open-db.ts';
import { newId } from '../../src/lib/ids.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { moveBusiness } from '../../src/shards/move/move-business.ts';
import { cancelMove } from '../../src/shards/move/rehearse-move.ts';
import { post } from '../reliability/network-faults/verified-workload.ts';
import { TestApp } from '../support/app.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { businessId, listRemains, startTwoServers, type TwoServers } from './two-servers.ts';

let servers: TwoServers;
let token: string;
let productId: string;

beforeAll(async () => {
  servers = await startTwoServers();
  const { email, password } = demoShopIdsAndLogins;
  const login = { provider: 'EMAIL', email, password };
  token = (await post<{ accessToken: string }>(servers.gateway.url, '/v1/users/login', login)).accessToken;
  const [product] = await servers.source.query<{ id: string }>(
    `select min(id::text) as id from products where business_id = '${businessId}'`,
  );
  productId = product?.id ?? '';
  return () => servers.gateway.kill();
});

/** Addresses of a move to the second server, or back. */
function addresses(to: 'second' | 'home') {
  const home = { name: 'home', url: servers.source.url };
  const second = { name: 'second', url: servers.target.url };
  return {
    businessId,
    homeUrl: home.url,
    ...(to === 'second' ? { source: home, target: second } : { source: second, target: home }),
  };
}

/** Moves the business, and calls `at` at a step. */
const moveTo = (to: 'second' | 'home', at: Record<string, () => Promise<unknown>> = {}) =>
  moveBusiness(addresses(to), {
    readMs: 0,
    onProgress: async (text) => {
      await at[text]?.();
    },
  });

/** An app on both servers that is never notified of changes of the directory. */
async function createUnnotifiedApp(): Promise<{ t: TestApp; close(): Promise<unknown> }> {
  const [home, second] = [
    await openDb({ url: servers.source.url }),
    await openDb({ url: servers.target.url }),
  ];
  const db: Db = {
    ...home,
    listen: (listener, channel) =>
      channel === 'duet_placements' ? Promise.resolve(async () => {}) : home.listen(listener, channel),
  };
  const config = readConfig({
    ...servers.env,
    PUBLIC_URL: 'http://shop.test',
    USAGE: 'off',
    REQUEST_LOG: 'off',
  });
  const app = await createApp({
    config,
    db,
    servers: [{ name: 'second', db: second, weight: 1 }],
    log: pino({ level: 'silent' }),
  });
  const close = async () => {
    await app.stop();
    await Promise.all([home.close(), second.close()]);
  };
  return { t: new TestApp(app, home, []), close };
}

const readVersion = async (server: PostgresServer) =>
  (await server.query<{ version: number }>(`select version from products where id = '${productId}'`))[0]
    ?.version;

const insertJob = (server: PostgresServer, business: string) =>
  server.query(
    `insert into pgboss.job (name, data, start_after) values
     ('orders.send-link', '{"businessId": "${business}", "number": 1, "email": "a@example.com"}', now() + interval '1 hour')`,
  );

const listJobs = async (server: PostgresServer) =>
  (
    await server.query<{ business: string }>(
      `select data ->> 'businessId' as business from pgboss.job where name = 'orders.send-link' order by 1`,
    )
  ).map(({ business }) => business);

it('rejects the write of a process that has missed the switch, which then finds the new server', async () => {
  const { source, target } = servers;
  const other = newId();
  await insertJob(source, businessId);
  await insertJob(source, other);
  const { t, close } = await createUnnotifiedApp();
  const path = `/v1/businesses/${businessId}/products/${productId}`;
  const as = { userId: '', token };
  const write = async (description: string) =>
    (await t.rest('PATCH', path, { as, body: { description } })).status;
  expect(await write('before')).toBe(200);
  const before = await readVersion(source);
  const statuses: number[] = [];
  const report = await moveTo('second', {
    'second has the business': async () => {
      statuses.push((await t.rest('GET', path, { as })).status);
      statuses.push(await write('after'));
      expect([await readVersion(source), await readVersion(target)]).toEqual([before, before]);
      statuses.push(await write('after'));
      expect([await readVersion(source), await readVersion(target)]).toEqual([before, (before ?? 0) + 1]);
    },
  });
  await close();
  expect(statuses).toEqual([200, 503, 200]);
  expect(report.findings).toEqual([]);
  expect(await listRemains({ source: target, target: source })).toEqual([]);
  expect([await listJobs(source), await listJobs(target)]).toEqual([[other], [businessId]]);
});

it('continues sequences, and moves jobs back', async () => {
  const { source, target } = servers;
  const lastMovement = `select max(number)::int as number from stock_movements where business_id = '${businessId}'`;
  const [last] = await target.query<{ number: number }>(lastMovement);
  await target.query(`select setval('stock_movements_number_seq', ${(last?.number ?? 0) + 5_000})`);
  await moveTo('home');
  const [next] = await source.query<{ number: string }>(
    `select nextval('stock_movements_number_seq') as number`,
  );
  expect(Number(next?.number)).toBeGreaterThan((last?.number ?? 0) + 5_000);
  expect((await listJobs(source)).length).toBe(2);
  expect(await listJobs(target)).toEqual([]);
  expect(await listRemains(servers)).toEqual([]);
});

it('stays where it is if a row differs before the switch', async () => {
  const { source, target } = servers;
  const report = await moveTo('second', {
    switch: () =>
      target.query(
        `set session_replication_role = replica; update products set version = version + 1 where id = '${productId}'`,
      ),
  });
  expect(report.findings.map(({ problem }) => problem)).toContain(`row (${productId}) differs`);
  const [placement] = await source.query<{ shard: string }>(
    `select shard from business_placements where business_id = '${businessId}'`,
  );
  expect(placement?.shard).toBe('home');
  await source.query(`update businesses set name = name || '.' where id = '${businessId}'`);
  expect(await cancelMove(addresses('second'))).toBe(true);
  expect(await listRemains(servers)).toEqual([]);
});

it('keeps the copy from being changed by the target, and can be cancelled after a kill in the middle of the switch', async () => {
  const { source, target } = servers;
  const write = (server: PostgresServer) =>
    server.query(`update businesses set name = name || '.' where id = '${businessId}'`);
  await expect(
    moveTo('second', {
      compare: async () => {
        await expect(write(target)).rejects.toMatchObject({ code: 'DU001' });
        throw new Error('killed');
      },
    }),
  ).rejects.toThrow('killed');
  // The fence is permanent, and the directory unchanged.
  await source.query(`insert into business_write_fences values ('${businessId}', 'SWITCHING', 0)`);
  await expect(write(source)).rejects.toMatchObject({ code: 'DU001' });
  expect(await cancelMove(addresses('second'))).toBe(true);
  await write(source);
  expect(await listRemains(servers)).toEqual([]);
});
