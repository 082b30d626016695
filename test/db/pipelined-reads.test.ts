import { describe, expect, it } from 'vitest';
import { classifyDbError } from '../../src/db/classify-db-errors.ts';
import { onPostgres, testDb } from '../support/database.ts';

const slow: string[] = [];
const lost: Error[] = [];
const db = await testDb({
  poolSize: 1,
  onSlowRead: (text) => slow.push(text),
  onError: (error) => lost.push(error),
});

const times = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => create(i));
const number = (n: number) => db.shortRead<{ n: number }>('SELECT $1::int AS n', [n]);

it('returns to each statement its own result', async () => {
  expect(await Promise.all(times(50, number))).toEqual(times(50, (n) => [{ n }]));
});

it('fails one statement without failing those pipelined with it', async () => {
  const results = await Promise.allSettled([number(1), db.shortRead('SELECT 1 / $1::int', [0]), number(2)]);
  expect(results).toEqual([
    { status: 'fulfilled', value: [{ n: 1 }] },
    { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) },
    { status: 'fulfilled', value: [{ n: 2 }] },
  ]);
});

it('parses the same types as `sql`', async () => {
  const text = `SELECT 9007199254740991::int8 AS big, '{"a":1}'::jsonb AS doc, $1::text[] AS texts`;
  expect(await db.shortRead(text, [['a', 'b']])).toEqual(await db.sql(text, [['a', 'b']]));
});

describe.runIf(onPostgres)('on PostgreSQL', () => {
  const connections = async (statement: string) =>
    new Set(
      (await Promise.all(times(20, () => db.shortRead<{ pid: number }>(statement)))).map(([row]) => row?.pid),
    );

  it('shares two connections outside of the pool', async () => {
    await db.transaction(async (tx) => {
      const [pool] = await tx.sql<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const pids = await connections('SELECT pg_backend_pid() AS pid');
      expect(pids.size).toBe(2);
      expect(pids).not.toContain(pool?.pid);
    });
  });

  it('reports slow statements', async () => {
    await Promise.all([db.shortRead('SELECT pg_sleep(0.15)'), ...times(5, number)]);
    expect(slow).toContain('SELECT pg_sleep(0.15)');
  });

  it('rejects writes', async () => {
    const write = db.shortRead(`INSERT INTO businesses (id, name, slug, created_at, updated_at)
      VALUES (gen_random_uuid(), 'a', 'a', 1, 1)`);
    await expect(write).rejects.toMatchObject({ code: '25006' });
    expect(await db.sql('SELECT 1 FROM businesses')).toEqual([]);
  });

  it('prepares a statement again when its table has changed', async () => {
    await db.sql('CREATE TABLE widening (a int)');
    const read = () => Promise.all(times(4, () => db.shortRead('SELECT * FROM widening')));
    await read();
    await db.sql('ALTER TABLE widening ADD COLUMN b int');
    await db.write('INSERT INTO widening VALUES (1, 2)');
    expect(await read()).toEqual(times(4, () => [{ a: 1, b: 2 }]));
    expect(await read()).toEqual(times(4, () => [{ a: 1, b: 2 }]));
  });

  it('retries statements of a broken connection', async () => {
    // The statement that terminates its connection also terminates that of its retry.
    const [broken, ...others] = await Promise.allSettled([
      db.shortRead('SELECT pg_terminate_backend(pg_backend_pid())'),
      ...times(20, number),
    ]);
    expect(classifyDbError((broken as PromiseRejectedResult).reason)).toEqual({ kind: 'unavailable' });
    expect(others).toEqual(times(20, (n) => ({ status: 'fulfilled', value: [{ n }] })));
    expect(lost.length).toBeGreaterThan(0);
    expect(await number(7)).toEqual([{ n: 7 }]);
  });

  it('recovers from the loss of idle connections', async () => {
    await Promise.all(times(5, number));
    await db.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    expect(await Promise.all(times(5, number))).toEqual(times(5, (n) => [{ n }]));
  });

  it('completes statements before close and rejects them afterwards', async () => {
    const other = await testDb();
    const result = other.shortRead('SELECT 1 AS one');
    await other.close();
    expect(await result).toEqual([{ one: 1 }]);
    expect(classifyDbError(await other.shortRead('SELECT 1').catch((error: unknown) => error))).toEqual({
      kind: 'unavailable',
    });
  });
});
