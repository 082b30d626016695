/** Type parsers of the embedded database cover all column types, and agree with PostgreSQL. */
import { beforeAll, expect, it } from 'vitest';
import { arrayTypeOids, prismaTypeOids } from '../../src/db/embedded/restrict-pglite-type-parsers.ts';
import type { Db } from '../../src/db/handles.ts';
import { onPostgres, testDb } from '../support/database.ts';

let db: Db;
beforeAll(async () => {
  db = await testDb();
});

/** Types that need no parser, or have the same one everywhere. */
const plain = ['bool', 'int4', 'float8', 'text', 'varchar', 'uuid', 'interval', 'tsvector'];

it.skipIf(onPostgres)('covers the types of all columns', async () => {
  const rows = await db.sql<{ name: string; oid: number; enumerated: boolean }>(
    `select distinct t.typname as name, t.oid::int as oid, t.typtype = 'e' as enumerated
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  );
  const parsedOids = new Set([...arrayTypeOids, ...prismaTypeOids]);
  const missing = rows.filter(
    ({ name, oid, enumerated }) => !enumerated && !plain.includes(name) && !parsedOids.has(oid),
  );
  expect(missing).toEqual([]);
});

it('returns the same values on both databases and by both handles', async () => {
  const statement = `select 1::int4 as int4, 12345678901::int8 as int8, true as bool, 'a' as text, '{"a":[1]}'::jsonb as jsonb, '{"b":2}'::json as json,
    array[1, 2]::int4[] as ints, array['a', 'b,"c"'] as texts, array[]::text[] as none, array[3, null]::int8[] as bigs,
    array['01900000-0000-7000-8000-00000000000b'::uuid] as uuids`;
  const values = {
    int4: 1,
    int8: 12_345_678_901,
    bool: true,
    text: 'a',
    jsonb: { a: [1] },
    json: { b: 2 },
    ints: [1, 2],
    texts: ['a', 'b,"c"'],
    none: [],
    bigs: [3, null],
    uuids: ['01900000-0000-7000-8000-00000000000b'],
  };
  expect(await db.sql(statement)).toEqual([values]);
  const role = { id: values.uuids[0], name: 'r', permissions: ['A', 'b,"c"'], createdAt: 12_345_678_901n };
  await db.write(
    `insert into businesses (id, name, slug, created_at, updated_at) values ($1, 'b', 'b', 1, 1)`,
    [role.id],
  );
  await db.write(
    `insert into roles (id, business_id, name, permissions, created_at, updated_at) values ($1, $1, 'r', $2, $3, 1)`,
    [role.id, role.permissions, '12345678901'],
  );
  expect(await db.prisma.role.findMany()).toEqual([expect.objectContaining(role)]);
  expect(
    await db.prisma.role.aggregate({ _sum: { version: true, createdAt: true }, _avg: { version: true } }),
  ).toEqual({ _sum: { version: 1, createdAt: 12_345_678_901n }, _avg: { version: 1 } });
});

it.each(['bool', 'int2', 'int8', 'oid', 'name', 'text', 'varchar', 'numeric', 'jsonb', 'regclass'])(
  'accepts array parameters of %s',
  async (type) => {
    const value = type === 'bool' ? true : type === 'regclass' ? 'products' : '7';
    const statement = `select cardinality($1::${type}[]) as count, ($1::${type}[])[2]::text as second`;
    const [row] = await db.sql<{ count: number; second: string }>(statement, [[value, value]]);
    expect(row?.count).toBe(2);
    expect(row?.second?.replaceAll('"', '')).toBe(String(value));
  },
);
