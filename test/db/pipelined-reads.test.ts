import { describe, expect, it } from 'vitest';
import { classifyDbError } from '../../src/db/errors.ts';
import { onPostgres, testDb } from '../support/database.ts';

const long: string[] = [];
const lost: Error[] = [];
const db = await testDb({
  poolSize: 1,
  onSlowRead: (text) => long.push(text),
  onError: (error) => lost.push(error),
});

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const number = (n: number) => db.shortRead<{ n: number }>('SELECT $1::int AS n', [n]);

it('answers short statements, each its own', async () => {
  expect(await Promise.all(times(50, number))).toEqual(times(50, (n) => [{ n }]));
});

it('fails a faulty statement and none beside it', async () => {
  const answers = await Promise.allSettled([number(1), db.shortRead('SELECT 1 / $1::int', [0]), number(2)]);
  expect(answers).toEqual([
    { status: 'fulfilled', value: [{ n: 1 }] },
    { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) },
    { status: 'fulfilled', value: [{ n: 2 }] },
  ]);
});

it('knows the types that `sql` knows', async () => {
  const text = `SELECT 9007199254740991::int8 AS big, '{"a":1}'::jsonb AS doc, $1::text[] AS texts`;
  expect(await db.shortRead(text, [['a', 'b']])).toEqual(await db.sql(text, [['a', 'b']]));
});

describe.runIf(onPostgres)('on a server', () => {
  const connections = async (statement: string) =>
    new Set(
      (await Promise.all(times(20, () => db.shortRead<{ pid: number }>(statement)))).map(([row]) => row?.pid),
    );

  it('shares a few connections that are not those of the pool', async () => {
    await db.transaction(async (tx) => {
      const [pool] = await tx.sql<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const pids = await connections('SELECT pg_backend_pid() AS pid');
      expect(pids.size).toBe(2);
      expect(pids).not.toContain(pool?.pid);
    });
  });

  it('says which statements were not short', async () => {
    await Promise.all([db.shortRead('SELECT pg_sleep(0.15)'), ...times(5, number)]);
    expect(long).toContain('SELECT pg_sleep(0.15)');
  });

  it('never writes', async () => {
    const write = db.shortRead(`INSERT INTO businesses (id, name, slug, created_at, updated_at)
      VALUES (gen_random_uuid(), 'a', 'a', 1, 1)`);
    await expect(write).rejects.toMatchObject({ code: '25006' });
    expect(await db.sql('SELECT 1 FROM businesses')).toEqual([]);
  });

  it('plans anew what has changed', async () => {
    await db.sql('CREATE TABLE widening (a int)');
    const read = () => Promise.all(times(4, () => db.shortRead('SELECT * FROM widening')));
    await read();
    await db.sql('ALTER TABLE widening ADD COLUMN b int');
    await db.sql('INSERT INTO widening VALUES (1, 2)');
    expect(await read()).toEqual(times(4, () => [{ a: 1, b: 2 }]));
    expect(await read()).toEqual(times(4, () => [{ a: 1, b: 2 }]));
  });

  it('asks once more what a broken connection left open', async () => {
    // The one that ends its connection does so again when it is asked again.
    const [broken, ...others] = await Promise.allSettled([
      db.shortRead('SELECT pg_terminate_backend(pg_backend_pid())'),
      ...times(20, number),
    ]);
    expect(classifyDbError((broken as PromiseRejectedResult).reason)).toEqual({ kind: 'unavailable' });
    expect(others).toEqual(times(20, (n) => ({ status: 'fulfilled', value: [{ n }] })));
    expect(lost.length).toBeGreaterThan(0);
    expect(await number(7)).toEqual([{ n: 7 }]);
  });

  it('survives the loss of connections that nobody uses', async () => {
    await Promise.all(times(5, number));
    await db.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    expect(await Promise.all(times(5, number))).toEqual(times(5, (n) => [{ n }]));
  });

  it('ends with the database', async () => {
    const other = await testDb();
    const asked = other.shortRead('SELECT 1 AS one');
    await other.close();
    expect(await asked).toEqual([{ one: 1 }]);
    expect(classifyDbError(await other.shortRead('SELECT 1').catch((error: unknown) => error))).toEqual({
      kind: 'unavailable',
    });
  });
});
