/** A primary that was replaced, but still runs and accepts writes, is left by open connections and never used again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { migrate } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

let former: PostgresServer;
let promoted: PostgresServer;
let db: Db;

beforeAll(async () => {
  former = await startPostgresServer();
  const first = await openDb({ url: former.url });
  await migrate(first);
  await first.close();
  promoted = await former.createStandby('promoted');
  const hosts = `127.0.0.1:${former.port},127.0.0.1:${promoted.port}`;
  db = await openDb({ url: `postgresql://duet@${hosts}/postgres?target_session_attrs=read-write` });
});
afterAll(() => db?.close());

const portSql = 'select inet_server_port() as port';
const portOf = async (read: Db['sql']) => (await read<{ port: number }>(portSql))[0]?.port;
const openConnections = (server: PostgresServer) =>
  server.query(
    `select 1 from pg_stat_activity where application_name like 'duet %' and application_name <> 'duet search'`,
  );

it('is left by the pool, the pipelined reads and the listeners', async () => {
  const reconnects: number[] = [];
  const stop = await db.listen({ onNotification: () => {}, onReconnect: () => void reconnects.push(1) });
  expect([await portOf(db.sql), await portOf(db.shortRead)]).toEqual([former.port, former.port]);
  await promoted.query('select pg_promote()');
  await expect.poll(() => openConnections(former)).toEqual([]);
  expect([await portOf(db.sql), await portOf(db.shortRead)]).toEqual([promoted.port, promoted.port]);
  await expect.poll(() => reconnects).toEqual([1]);
  await stop();
});

it('is not used when the newer primary stops', async () => {
  await promoted.stop();
  await expect(db.sql(portSql)).rejects.toThrow();
  // Longer than the interval of the regular search.
  const until = performance.now() + 3_000;
  while (performance.now() < until)
    expect(await portOf(db.sql).catch(() => 'unavailable')).toBe('unavailable');
  await promoted.start();
  await expect.poll(() => portOf(db.sql).catch(() => undefined)).toBe(promoted.port);
});
