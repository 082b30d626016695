/** Assumptions about pg: keys and socket of a connection, and the way of statements through the pool, which src/vendor/pg uses. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { destroyPgSocket, pgBackendKeys } from '../../src/vendor/pg/connection-internals.ts';
import { createInterceptedPool } from '../../src/vendor/pg/intercepted-pool.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';
import { seenOnVersions } from './seen-versions.ts';

seenOnVersions('pg', '8.23');

const onServer = it.runIf(onPostgres);

onServer('gives the keys that cancel a statement, and destroys the socket', async () => {
  const client = new pg.Client({ connectionString: await testDatabaseUrl() });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const { processId, cancelKey } = pgBackendKeys(client);
  expect([processId, typeof cancelKey]).toEqual([rows[0].pid, 'number']);
  const waiting = [client.query('select pg_sleep(60)'), client.query('select 1')].map((query) =>
    expect(query).rejects.toThrow('gone'),
  );
  destroyPgSocket(client, new Error('gone'));
  await Promise.all(waiting);
});

onServer(
  'intercepts statements of the pool, and reports how long each waits for its connection',
  async () => {
    const waits: number[] = [];
    const { pool, interceptQuery } = createInterceptedPool(
      { connectionString: await testDatabaseUrl(), max: 1 },
      (seconds) => waits.push(seconds),
    );
    const intercepted: unknown[] = [];
    interceptQuery((query, args) => {
      intercepted.push(args[0]);
      return query(...args);
    });
    const client = await pool.connect();
    const waiting = pool.query('select 1 as one');
    await client.query('select pg_sleep(0.2)');
    client.release();
    expect((await waiting).rows).toEqual([{ one: 1 }]);
    expect(intercepted).toEqual(['select 1 as one']);
    expect(waits).toHaveLength(2);
    expect(waits[1]).toBeGreaterThan(0.15);
    await pool.end();
  },
);
