/** Assumptions about pg: keys and socket of a connection, the way of statements through the pool, and the handlers of a query. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { destroyPgSocket, getPgBackendKeys } from '../../src/vendor/pg/connection-internals.ts';
import { createInterceptedPool } from '../../src/vendor/pg/intercepted-pool.ts';
import { PreparedQuery } from '../../src/vendor/pg/prepared-query.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';
import { seenOnVersions } from './seen-versions.ts';

seenOnVersions('pg', '8.23');

const onServer = it.runIf(onPostgres);

onServer('gives the keys that cancel a statement, and destroys the socket', async () => {
  const client = new pg.Client({ connectionString: await testDatabaseUrl() });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const { processId, cancelKey } = getPgBackendKeys(client);
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

/** Names of the messages that a connection receives. */
async function connectRecording(messages: string[], options: object = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await testDatabaseUrl(), ...options });
  await client.connect();
  const { connection } = client as unknown as {
    connection: { on(event: string, listener: () => void): void };
  };
  for (const name of ['rowDescription', 'parseComplete'])
    connection.on(name, () => {
      messages.push(name);
    });
  return client;
}

const run = async (
  client: pg.Client,
  text: string,
  values: unknown[] = [],
  { name = 'statement', describeOnce = true } = {},
) => {
  const query = new PreparedQuery({ name, text, values, types: pg.types, describeOnce });
  return (await query.runOn(client)).rows;
};

onServer('parses and describes a prepared statement once per connection', async () => {
  const messages: string[] = [];
  const client = await connectRecording(messages);
  const text = `select n, n::text || 'ä' as text, null as nothing, array[n, 2] as list, json_build_object('n', n) as json
    from generate_series(1, $1::int) n`;
  const row = (n: number) => ({ n, text: `${n}ä`, nothing: null, list: [n, 2], json: { n } });
  expect(await run(client, text, [2])).toEqual([row(1), row(2)]);
  expect(await run(client, text, [1])).toEqual([row(1)]);
  expect(await run(client, text, [0])).toEqual([]);
  expect(messages).toEqual(['parseComplete', 'rowDescription']);
  await run(client, text, [0], { describeOnce: false });
  expect(messages).toEqual(['parseComplete', 'rowDescription', 'rowDescription']);
  await client.end();
});

onServer('fails alone on errors of the server, of a value and of a parser', async () => {
  const client = await connectRecording([]);
  const divide = 'select 1 / $1::int as result';
  expect(await run(client, divide, [1])).toEqual([{ result: 1 }]);
  await expect(run(client, divide, [0])).rejects.toThrow('division by zero');
  const circular: { self?: unknown } = {};
  circular.self = circular;
  await expect(run(client, divide, [circular])).rejects.toThrow('circular');
  const types = { getTypeParser: () => () => JSON.parse('no JSON') };
  const failing = new PreparedQuery({ name: 'f', text: 'select 1', values: [], types, describeOnce: true });
  await expect(failing.runOn(client)).rejects.toThrow('JSON');
  expect(await run(client, divide, [1])).toEqual([{ result: 1 }]);
  await client.end();
});

onServer('reports that the columns of a described statement have changed', async () => {
  const client = await connectRecording([]);
  await client.query('create temporary table changing (a int); insert into changing values (1)');
  expect(await run(client, 'select * from changing')).toEqual([{ a: 1 }]);
  await client.query('alter table changing rename a to b');
  await expect(run(client, 'select * from changing')).rejects.toThrow('cached plan must not change');
  expect(await run(client, 'select * from changing', [], { name: 'again' })).toEqual([{ b: 1 }]);
  await client.end();
});

onServer('works on pipelined connections and through the pool', async () => {
  const client = await connectRecording([], { pipeline: true });
  const text = 'select $1::int as n';
  const results = [1, 2, 3].map((n) => run(client, text, [n]));
  const failed = run(client, 'select 1 / $1::int', [0], { name: 'failing' });
  await expect(failed).rejects.toThrow('division by zero');
  expect(await Promise.all(results)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  expect(await run(client, text, [4])).toEqual([{ n: 4 }]);
  await client.end();
  const pool = new pg.Pool({ connectionString: await testDatabaseUrl(), max: 1 });
  const query = new PreparedQuery({ name: 's', text, values: [5], types: pg.types, describeOnce: true });
  const result: pg.QueryResult = await Reflect.apply(pool.query, pool, [query]);
  expect(result.rows).toEqual([{ n: 5 }]);
  await pool.end();
});
