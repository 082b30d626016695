import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { classifyDbError, dbErrorToAppError, isRejectedByDbServer } from '../../src/db/classify-db-errors.ts';
import { openDb } from '../../src/db/open-db.ts';
import { onPostgres, testDatabaseUrl, testDb } from '../support/database.ts';

const db = await testDb({ statementTimeoutMs: 300 });
const business = { id: randomUUID(), name: 'Shop', slug: 'shop', createdAt: 1n, updatedAt: 1n };
await db.prisma.business.create({ data: business });
const times = { createdAt: 1n, updatedAt: 1n };
const promo = {
  businessId: business.id,
  key: 'sale',
  code: 'SALE',
  type: 'FIXED' as const,
  uses: -1,
  ...times,
};

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  );
const kindOf = async (work: Promise<unknown>) => classifyDbError(await failure(work));

describe('a violated constraint', () => {
  it('is reported with its name: unique', async () => {
    const expected = { kind: 'unique', constraint: 'businesses_slug_key' };
    const sql = `INSERT INTO businesses (id, name, slug, created_at, updated_at) VALUES ($1, '', 'shop', 1, 1)`;
    expect(await kindOf(db.write(sql, [randomUUID()]))).toEqual(expected);
    expect(await kindOf(db.prisma.business.create({ data: { ...business, id: randomUUID() } }))).toEqual(
      expected,
    );
  });

  it('is reported with its name: foreign key', async () => {
    const expected = { kind: 'foreignKey', constraint: 'roles_business_id_fkey' };
    const sql = `INSERT INTO roles (id, business_id, name, created_at, updated_at) VALUES ($1, $1, '', 1, 1)`;
    expect(await kindOf(db.write(sql, [randomUUID()]))).toEqual(expected);
    const role = { id: randomUUID(), businessId: randomUUID(), name: '', ...times };
    expect(await kindOf(db.prisma.role.create({ data: role }))).toEqual(expected);
  });

  it('is reported with its name: check', async () => {
    const stock = `INSERT INTO variants (id, product_id, business_id, position, tracked, quantity) VALUES ($1, $1, $1, 0, true, -1)`;
    const expected = { kind: 'check', constraint: 'variants_quantity_check' };
    expect(await kindOf(db.write(stock, [randomUUID()]))).toEqual(expected);
    expect(await kindOf(db.prisma.promoCode.create({ data: { id: randomUUID(), ...promo } }))).toEqual({
      kind: 'check',
      constraint: 'promo_codes_uses_check',
    });
  });
});

describe('a value that cannot be stored', () => {
  it.each([
    ['a NUL character', () => db.sql('SELECT $1::text', ['a\0b'])],
    ['a NUL character through Prisma', () => db.prisma.business.updateMany({ data: { name: 'a\0b' } })],
    ['a NUL character in JSON', () => db.sql('SELECT $1::jsonb', [JSON.stringify('a\0b')])],
    ['not a UUID', () => db.sql('SELECT $1::uuid', ['nope'])],
    ['not a UUID, through Prisma', () => db.prisma.business.findUnique({ where: { id: 'nope' } })],
  ])('%s', async (_name, work) => {
    expect(await kindOf(work())).toEqual({ kind: 'invalidText' });
  });
});

it('reports a missing record as notFound', async () => {
  const update = db.prisma.business.update({ where: { id: randomUUID() }, data: { name: '' } });
  expect(await kindOf(update)).toEqual({ kind: 'notFound' });
});

it('does not classify other errors', async () => {
  expect(await kindOf(db.sql('SELECT nonsense'))).toBeUndefined();
  expect([new Error('x'), 'x', undefined, null, { code: 'P9999' }].map(classifyDbError)).toEqual(
    Array(5).fill(undefined),
  );
});

it('removes parameters from errors, and SQL and values from client messages', async () => {
  const error = await failure(db.sql('SELECT $1::uuid', ['secret']));
  expect(error).not.toMatchObject({ params: expect.anything() });
  expect(dbErrorToAppError(error)?.message).not.toMatch(/secret|SELECT/i);
});

const polling = { interval: 20 };

describe.runIf(onPostgres)('on PostgreSQL', () => {
  it('reports a statement timeout', async () => {
    expect(await kindOf(db.sql('SELECT pg_sleep(5)'))).toEqual({ kind: 'timeout' });
    expect(await kindOf(db.prisma.$queryRaw`SELECT pg_sleep(5)::text`)).toEqual({ kind: 'timeout' });
  });

  it('reports a deadlock as serialization error', async () => {
    const other = await openDb({ url: await testDatabaseUrl() });
    const lock = 'SELECT pg_advisory_xact_lock($1)';
    let bothLocked = () => {};
    const bothHoldOne = new Promise<void>((resolve) => {
      bothLocked = resolve;
    });
    let holding = 0;
    const cross = (first: number, second: number) =>
      other.transaction(async (tx) => {
        await tx.sql(lock, [first]);
        holding += 1;
        if (holding === 2) bothLocked();
        await bothHoldOne;
        await tx.sql(lock, [second]);
      });
    const results = await Promise.allSettled([cross(1, 2), cross(2, 1)]);
    await other.close();
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [classifyDbError(result.reason)] : [],
    );
    expect(errors).toEqual([{ kind: 'serialization' }]);
  });

  it('recovers from lost connections, busy and idle', async () => {
    const url = await testDatabaseUrl();
    const lost: Error[] = [];
    const victim = await openDb({ url, onError: (error) => lost.push(error) });
    const name = new URL(url).pathname.slice(1);
    const sessions = async (condition: string): Promise<number> => {
      const where = `FROM pg_stat_activity WHERE datname = $1 AND ${condition}`;
      return (await db.sql(`SELECT pid ${where}`, [name])).length;
    };
    const terminate = async () => {
      await db.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      await expect.poll(() => sessions('true'), polling).toBe(0);
    };
    const terminated = async (work: Promise<unknown>) => {
      const kind = kindOf(work);
      await expect.poll(() => sessions(`wait_event = 'PgSleep'`), polling).toBeGreaterThan(0);
      await terminate();
      return kind;
    };
    const unavailable = { kind: 'unavailable' };
    expect(await terminated(victim.sql('SELECT pg_sleep(25)'))).toEqual(unavailable);
    expect(await terminated(victim.prisma.$queryRaw`SELECT pg_sleep(25)::text`)).toEqual(unavailable);
    const between = victim.transaction(async (tx) => {
      await tx.sql('SELECT 1');
      await terminate();
      await tx.sql('SELECT 1');
    });
    expect(await kindOf(between)).toEqual(unavailable);
    const betweenPrisma = victim.prisma.$transaction(async (tx) => {
      await tx.business.count();
      await terminate();
      await tx.business.count();
    });
    expect(await kindOf(betweenPrisma)).toEqual(unavailable);

    await victim.ping();
    lost.length = 0;
    await terminate();
    await expect.poll(() => lost.length, polling).toBeGreaterThan(0);
    expect(await victim.sql('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await victim.close();
    expect(await kindOf(victim.sql('SELECT 1'))).toEqual(unavailable);
  });

  it('reports an unreachable server as unavailable', async () => {
    const unreachable = await openDb({ url: 'postgres://nobody:x@127.0.0.1:1/nothing' });
    expect(await kindOf(unreachable.ping())).toEqual({ kind: 'unavailable' });
    expect(await kindOf(unreachable.prisma.business.count())).toEqual({ kind: 'unavailable' });
    await unreachable.close();
  });
});

it.each([
  [{ code: '23505' }, 'CONFLICT'],
  [{ code: '23503' }, 'CONFLICT'],
  [{ code: '23514' }, 'CONFLICT'],
  [{ code: 'P2034' }, 'CONFLICT'],
  [{ code: 'P2025' }, 'NOT_FOUND'],
  [{ code: '22021' }, 'VALIDATION_FAILED'],
  [{ code: '53300' }, 'UNAVAILABLE'],
  [{ code: '57P03' }, 'UNAVAILABLE'],
  [{ code: '57014' }, 'UNAVAILABLE'],
  [{ code: 'P2024' }, 'UNAVAILABLE'],
  [new Error('timeout exceeded when trying to connect'), 'UNAVAILABLE'],
  [new Error('Query read timeout'), 'UNAVAILABLE'],
])('converts %o into %s', (error, code) => {
  const appError = dbErrorToAppError(error);
  expect(appError?.code).toBe(code);
  expect(appError?.headers).toEqual(code === 'UNAVAILABLE' ? { 'Retry-After': '1' } : {});
});

it.each([
  ['a duplicate, in any server language', { code: '23505', severity: 'FEHLER' }, true],
  ['a cancelled statement', { code: '57014' }, true],
  ['an internal error of PostgreSQL', { code: 'XX000' }, true],
  ['a server shutdown', { code: '57P01' }, false],
  ['a lost connection, reported by the server', { code: '08006' }, false],
  ['a lost connection, reported by the operating system', { code: 'EPIPE' }, false],
  ['a closed connection, reported by Prisma', { code: 'P1017' }, false],
  ['no response', { message: 'Query read timeout' }, false],
])('detects whether the server rejected the statement: %s', (_name, fields, rejected) => {
  expect(isRejectedByDbServer(Object.assign(new Error('failed'), fields))).toBe(rejected);
});
