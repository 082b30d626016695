/** Repeated statements of the embedded database are prepared and return the same results. */
import '../support/on-pglite.ts';
import { beforeAll, expect, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { testDb } from '../support/database.ts';

let db: Db;
beforeAll(async () => {
  db = await testDb();
  await db.script('create table things (id int primary key, name text)');
});

const prepared = async () =>
  (
    await db.sql<{ statement: string; calls: number }>(
      `select statement, generic_plans + custom_plans as calls from pg_prepared_statements`,
    )
  ).filter(({ statement }) => statement.includes('things'));

it('prepares a statement on its second execution', async () => {
  const insert = 'insert into things values ($1, $2) returning id, name';
  for (const id of [1, 2, 3, 4])
    expect(await db.sql(insert, [id, `thing ${id}`])).toEqual([{ id, name: `thing ${id}` }]);
  expect(await prepared()).toEqual([{ statement: expect.stringContaining(insert), calls: 3 }]);
  // A statement without RETURNING returns no rows.
  for (const id of [1, 2, 3]) expect(await db.sql('delete from things where id = $1', [id])).toEqual([]);
  expect(await db.sql('select id, name from things')).toEqual([{ id: 4, name: 'thing 4' }]);
});

it('remain usable after errors, also within a transaction', async () => {
  const find = 'select name from things where id = $1::int';
  for (const id of [4, 5, 4]) await db.sql(find, [id]);
  await expect(db.sql(find, ['four'])).rejects.toMatchObject({ code: '22P02' });
  expect(await db.sql(find, [4])).toEqual([{ name: 'thing 4' }]);
  const add = 'insert into things values ($1, $2)';
  const fails = db.transaction(async (tx) => {
    for (const id of [6, 7, 8]) await tx.sql(add, [id, '']);
    await expect(tx.sql(add, [4, ''])).rejects.toMatchObject({ code: '23505' });
    await expect(tx.sql(find, [4])).rejects.toMatchObject({ code: '25P02' });
    throw new Error('over');
  });
  await expect(fails).rejects.toThrow('over');
  expect(await db.sql(find, [6])).toEqual([]);
  await db.sql(add, [6, 'six']);
  expect(await db.sql(find, [6])).toEqual([{ name: 'six' }]);
});

it('prepares a statement again after a migration changed its result type', async () => {
  const all = 'select * from things where id = $1';
  for (let n = 0; n < 3; n += 1) expect(await db.sql(all, [6])).toEqual([{ id: 6, name: 'six' }]);
  await db.script('alter table things add column size int');
  await expect(db.sql(all, [6])).rejects.toMatchObject({ code: '0A000' });
  for (let n = 0; n < 3; n += 1) expect(await db.sql(all, [6])).toEqual([{ id: 6, name: 'six', size: null }]);
});

it('limits the number of prepared statements', async () => {
  for (let n = 0; n < 350; n += 1)
    for (let time = 0; time < 2; time += 1)
      expect(await db.sql(`select id + ${n} as sum from things where id = $1`, [6])).toEqual([
        { sum: 6 + n },
      ]);
  const [row] = await db.sql<{ count: number }>('select count(*) from pg_prepared_statements');
  expect(row?.count).toBeLessThanOrEqual(301);
});
