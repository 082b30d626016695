import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { QueryHandle } from '../../src/db/handles.ts';
import { onPostgres, testDb } from '../support/database.ts';

const statements: string[] = [];
const db = await testDb({ onStatement: (text) => statements.push(text) });

const insert = `INSERT INTO businesses (id, name, slug, created_at, updated_at) VALUES ($1, $2, $2, 1, 1)`;
const row = (slug: string) => ({ id: randomUUID(), name: slug, slug, createdAt: 1n, updatedAt: 1n });
const add = (on: QueryHandle, slug: string) => on.write(insert, [randomUUID(), slug]);
const slugs = async () =>
  (await db.sql<{ slug: string }>('SELECT slug FROM businesses ORDER BY slug')).map((r) => r.slug);

beforeEach(async () => {
  await db.write('DELETE FROM businesses');
  statements.length = 0;
});

describe('the two handles', () => {
  it('see the same rows', async () => {
    await db.prisma.business.create({ data: row('by-prisma') });
    await add(db, 'by-sql');
    expect(await slugs()).toEqual(['by-prisma', 'by-sql']);
    expect(await db.prisma.business.count()).toBe(2);
  });

  it('return the same types on both databases', async () => {
    const [values] = await db.sql(
      `SELECT 9007199254740991::int8 AS big, ARRAY[1, NULL]::int8[] AS bigs, $1::jsonb AS doc, '[1]'::json AS list,
              $2::text[] AS texts, NULL::int8 AS nothing, true AS yes, $3::text AS text`,
      [JSON.stringify({ a: [1] }), ['a', 'b, "c"'], undefined],
    );
    expect(values).toEqual({
      big: Number.MAX_SAFE_INTEGER,
      bigs: [1, null],
      doc: { a: [1] },
      list: [1],
      texts: ['a', 'b, "c"'],
      nothing: null,
      yes: true,
      text: null,
    });
  });

  it("do not change Prisma's own types", async () => {
    await db.prisma.business.create({ data: row('big') });
    expect((await db.prisma.business.findFirstOrThrow()).createdAt).toBe(1n);
  });

  it.runIf(onPostgres)('prepare each statement once per connection', async () => {
    const prepared = await db.transaction(async (tx) => {
      for (let i = 0; i < 3; i++) await tx.sql('SELECT 42 AS answer');
      return tx.sql('SELECT name FROM pg_prepared_statements WHERE statement = $1', ['SELECT 42 AS answer']);
    });
    expect(prepared).toEqual([{ name: expect.stringMatching(/^duet_\d+$/) }]);
  });
});

it.runIf(onPostgres)('prepares a statement again when its table has changed', async () => {
  await db.sql('CREATE TABLE changing (a int)');
  const read = () => Promise.all([1, 2, 3].map(() => db.sql('SELECT * FROM changing')));
  await read();
  await db.sql('ALTER TABLE changing ADD COLUMN b int');
  await db.write('INSERT INTO changing VALUES (1, 2)');
  expect(await read()).toEqual(Array(3).fill([{ a: 1, b: 2 }]));
});

describe('transactions', () => {
  it('commit', async () => {
    expect(await db.transaction(async (tx) => (await add(tx, 'committed')).length)).toBe(0);
    expect(await slugs()).toEqual(['committed']);
  });

  it('roll back together with nested transactions', async () => {
    const failing = db.transaction(async (tx) => {
      await add(tx, 'outer');
      await tx.transaction((inner) => add(inner, 'inner'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await slugs()).toEqual([]);
  });

  it('roll back on a failing statement and leave the connection usable', async () => {
    const failing = db.transaction(async (tx) => {
      await add(tx, 'same');
      await add(tx, 'same');
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await slugs()).toEqual([]);
  });

  it('fail to commit after a swallowed error', async () => {
    const work = db.transaction(async (tx) => {
      await add(tx, 'lost');
      await tx.sql('SELECT nonsense').catch(() => {});
    });
    await expect(work).rejects.toMatchObject({ code: '25P02' });
    expect(await slugs()).toEqual([]);
  });

  it('commit after an error that was rolled back to a savepoint', async () => {
    await db.transaction(async (tx) => {
      await tx.sql('SAVEPOINT before');
      await tx.sql('SELECT nonsense').catch(() => {});
      await tx.sql('ROLLBACK TO SAVEPOINT before');
      await add(tx, 'kept');
    });
    expect(await slugs()).toEqual(['kept']);
  });

  it('reject their handle after their end', async () => {
    let leaked: QueryHandle | undefined;
    await db.transaction(async (tx) => {
      leaked = tx;
    });
    await expect(leaked?.sql('SELECT 1')).rejects.toThrow('has ended');
    await expect(leaked?.prisma.business.count()).rejects.toThrow('has ended');
  });

  it('include Prisma: writes of either handle are visible to both, and commit and roll back together', async () => {
    const count = await db.transaction(async (tx) => {
      await add(tx, 'by-sql');
      await tx.prisma.business.create({ data: row('by-prisma') });
      const seen = await tx.sql<{ slug: string }>('SELECT slug FROM businesses ORDER BY slug');
      expect(seen.map(({ slug }) => slug)).toEqual(['by-prisma', 'by-sql']);
      return tx.transaction((inner) => inner.prisma.business.count());
    });
    expect(count).toBe(2);
    const failing = db.transaction(async (tx) => {
      await tx.prisma.business.create({ data: row('third') });
      await tx.prisma.business.create({ data: row('by-sql') });
    });
    await expect(failing).rejects.toMatchObject({ code: 'P2002' });
    const swallowed = db.transaction(async (tx) => {
      await add(tx, 'lost');
      await tx.prisma.business.create({ data: row('by-sql') }).catch(() => {});
    });
    await expect(swallowed).rejects.toMatchObject({ code: '25P02' });
    expect(await slugs()).toEqual(['by-prisma', 'by-sql']);
  });

  it('are isolated from each other in Prisma', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `side-${i}`);
    const found = await Promise.all(
      names.map((slug) =>
        db.transaction(async (tx) => {
          const { id } = await tx.prisma.business.create({ data: row(slug) });
          // Prisma batches findUnique calls of the same tick: they must not be batched across connections.
          return tx.prisma.business.findUnique({ where: { id } });
        }),
      ),
    );
    expect(found.map((business) => business?.slug)).toEqual(names);
  });

  it('of Prisma commit and roll back', async () => {
    await db.prisma.$transaction(async (tx) => {
      await tx.business.create({ data: row('first') });
      await tx.business.create({ data: row('second') });
    });
    const failing = db.prisma.$transaction(
      async (tx) => {
        await tx.business.create({ data: row('third') });
        await tx.business.create({ data: row('first') });
      },
      { isolationLevel: 'Serializable' },
    );
    await expect(failing).rejects.toMatchObject({ code: 'P2002' });
    expect(await slugs()).toEqual(['first', 'second']);
  });

  it('of Prisma report an error raised by COMMIT', async () => {
    await db.sql('CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    const failing = db.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO late VALUES (1), (1)`;
    });
    await expect(failing).rejects.toThrow();
    expect(await db.sql('SELECT * FROM late')).toEqual([]);
  });

  it.skipIf(onPostgres)('reject other handles inside instead of deadlocking', async () => {
    const message = 'Use the transaction handle';
    await expect(db.transaction(() => db.sql('SELECT 1'))).rejects.toThrow(message);
    await expect(db.transaction(() => db.transaction(async () => {}))).rejects.toThrow(message);
    await expect(db.transaction(() => db.prisma.business.count())).rejects.toThrow(message);
    expect(await db.sql('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

it('reports the statements of both handles, except BEGIN and COMMIT', async () => {
  await db.sql('SELECT 1');
  await db.transaction((tx) => tx.sql('SELECT 2'));
  await db.prisma.$transaction(async (tx) => {
    await tx.business.count();
    await tx.business.count();
  });
  expect(statements).toEqual([
    'SELECT 1',
    'SELECT 2',
    expect.stringMatching(/COUNT/),
    expect.stringMatching(/COUNT/),
  ]);
});

it('does not deadlock under mixed concurrent use', async () => {
  const work = Array.from({ length: 50 }, (_, i) => {
    const slug = `mixed-${i}`;
    if (i % 5 === 0) return add(db, slug);
    if (i % 5 === 1) return db.prisma.business.create({ data: row(slug) });
    if (i % 5 === 2) {
      return db.transaction(async (tx) => {
        await tx.sql('SELECT 1');
        await add(tx, slug);
      });
    }
    if (i % 5 === 3) {
      return db.prisma.$transaction(async (tx) => {
        await tx.business.count();
        await tx.business.create({ data: row(slug) });
      });
    }
    return db.prisma.business.upsert({ where: { slug }, create: row(slug), update: {} });
  });
  await Promise.all(work);
  expect(await slugs()).toHaveLength(50);
});
