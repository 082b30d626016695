import { inspect } from 'node:util';
import { it } from 'vitest';
import { describeDbError } from '../../src/db/errors.ts';
import { openDb } from '../../src/db/open.ts';
import { onPostgres, testDatabaseUrl, testDb } from '../support/database.ts';

const db = await testDb({ statementTimeoutMs: 500 });
const id = '00000000-0000-7000-8000-000000000001';
const show = async (label: string, p: Promise<unknown>) => {
  const e = await p.then(
    (v) => ({ noerror: v }),
    (e) => e,
  );
  console.log(
    label,
    describeDbError(e),
    e.constructor.name,
    inspect(e, { depth: 6 })
      .replace(/\n\s+at .*/g, '')
      .slice(0, 1500),
  );
};
it('x', async () => {
  const b = { id, name: 'a', slug: 'a', createdAt: 1n, updatedAt: 1n };
  await db.prisma.business.create({ data: b });
  await show(
    'unique prisma',
    db.prisma.business.create({ data: { ...b, id: '00000000-0000-7000-8000-000000000002' } }),
  );
  await show(
    'unique sql',
    db.sql(`insert into businesses(id,name,slug,created_at,updated_at) values ($1,'a','a',1,1)`, [
      '00000000-0000-7000-8000-000000000002',
    ]),
  );
  await show(
    'fk prisma',
    db.prisma.role.create({
      data: {
        id,
        businessId: '00000000-0000-7000-8000-000000000009',
        name: 'r',
        createdAt: 1n,
        updatedAt: 1n,
      },
    }),
  );
  await show(
    'check prisma',
    db.prisma.promoCode.create({
      data: {
        id,
        businessId: id,
        key: 'r',
        code: 'r',
        type: 'FIXED',
        uses: -1,
        createdAt: 1n,
        updatedAt: 1n,
      },
    }),
  );
  await show('nul prisma', db.prisma.business.update({ where: { id }, data: { name: 'a\0b' } }));
  await show('nul sql', db.sql('select $1::text', ['a\0b']));
  await show('nul json', db.sql('select $1::jsonb', [JSON.stringify({ a: 'a\0b' })]));
  await show('uuid prisma', db.prisma.business.findUnique({ where: { id: 'nope' } }));
  await show(
    'p2025',
    db.prisma.business.update({ where: { id: '00000000-0000-7000-8000-000000000009' }, data: { name: 'x' } }),
  );
  if (onPostgres) {
    await show('timeout sql', db.sql('select pg_sleep(2)'));
    await show('timeout prisma', db.prisma.$queryRaw`select pg_sleep(2)::text`);
    const url = new URL(await testDatabaseUrl());
    const bg: unknown[] = [];
    const d2 = await openDb({ url: url.href, onError: (e) => bg.push(e.message) });
    const kill = () =>
      db.sql(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [
        url.pathname.slice(1),
      ]);
    const p = show('terminated sql', d2.sql('select pg_sleep(5)'));
    await new Promise((r) => setTimeout(r, 100));
    await kill();
    await p;
    const q = show('terminated prisma', d2.prisma.$queryRaw`select pg_sleep(5)::text`);
    await new Promise((r) => setTimeout(r, 100));
    await kill();
    await q;
    const u = show(
      'terminated prisma model',
      d2.prisma.$transaction(async (tx) => {
        await tx.business.count();
        await kill();
        await tx.business.count();
      }),
    );
    await u;
    const v = show(
      'terminated tx idle',
      d2.transaction(async (tx) => {
        await tx.sql('select 1');
        await kill();
        await new Promise((r) => setTimeout(r, 100));
        await tx.sql('select 1');
      }),
    );
    await v;
    console.log('bg', bg, await d2.sql('select 1 as ok'));
    await d2.close();
    await show('closed', d2.sql('select 1'));
    await show('closed prisma', d2.prisma.business.count());
    const bad = await openDb({ url: 'postgres://x:y@127.0.0.1:1/x' });
    await show('refused sql', bad.sql('select 1'));
    await show('refused prisma', bad.prisma.business.count());
    url.pathname = '/nodb';
    const no = await openDb({ url: url.href });
    await show('nodb prisma', no.prisma.business.count());
  }
}, 60000);
