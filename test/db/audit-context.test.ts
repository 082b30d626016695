/** Writing handles: every write carries the audit context of its handle, by SQL, by Prisma and in transactions. */
import { expect, it } from 'vitest';
import { serviceAuditContext } from '../../src/db/audit-context.ts';
import type { QueryHandle } from '../../src/db/handles.ts';
import { newId } from '../../src/lib/ids.ts';
import { testDb } from '../support/database.ts';
import { WriteWithoutAuditContextError } from '../support/statement-checks.ts';

const db = await testDb();
const businessId = newId();
await db.prisma.business.create({
  data: { id: businessId, name: 'Shop', slug: 'shop', createdAt: 1n, updatedAt: 1n },
});

const request = { ...serviceAuditContext, actor: 'ANONYMOUS', requestId: 'r1', protocol: 'REST' } as const;

const insertMarket = `insert into markets (business_id, key, code, currency, tax_bps, created_at, updated_at)
  values ($1, $2, upper($2), 'USD', 0, 1, 1) returning key`;

const createRole = ({ prisma }: QueryHandle, name: string) =>
  prisma.role.create({ data: { id: newId(), businessId, name, createdAt: 1n, updatedAt: 1n } });

/** Actor, request and protocol of the newest change. */
const newestChange = async () => {
  const [change] = await db.sql(
    'select actor, request_id as request, voice from changes order by id desc limit 1',
  );
  return change;
};

const byRequest = { actor: 'ANONYMOUS', request: 'r1', voice: 'REST' };
const byService = { actor: 'SYSTEM', request: null, voice: 'JOB' };

it.each<[string, (on: QueryHandle, name: string) => Promise<unknown>]>([
  ['an insert', (on, name) => on.write(insertMarket, [businessId, name])],
  [
    'a statement that begins with a CTE',
    (on, name) => on.write(`\n with market as (${insertMarket}) select key from market`, [businessId, name]),
  ],
  ['Prisma', createRole],
])('%s carries the context of its handle', async (kind, write) => {
  const withRequest = db.withContext({ auditContext: request });
  const name = (step: string) => `${step}${kind.length}`;
  await write(withRequest, name('a'));
  expect(await newestChange()).toEqual(byRequest);
  await write(db, name('b'));
  expect(await newestChange()).toEqual(byService);
  await withRequest.transaction((tx) => write(tx, name('c')));
  expect(await newestChange()).toEqual(byRequest);
  await db.transaction((tx) => write(tx, name('d')));
  expect(await newestChange()).toEqual(byService);
});

it('a transaction of Prisma carries the context of its handle', async () => {
  await db.withContext({ auditContext: request }).prisma.$transaction(async (prisma) => {
    await prisma.role.create({ data: { id: newId(), businessId, name: 'tx', createdAt: 1n, updatedAt: 1n } });
  });
  expect(await newestChange()).toEqual(byRequest);
});

it('the databases of tests reject writes through `sql`', async () => {
  const params = [businessId, 'x'];
  const outside = async () => db.sql(insertMarket, params);
  await expect(outside()).rejects.toThrow(WriteWithoutAuditContextError);
  const inside = db.transaction((tx) => tx.sql(insertMarket, params));
  await expect(inside).rejects.toThrow(WriteWithoutAuditContextError);
  expect(await db.sql('select 1 from markets where key = $1', ['x'])).toEqual([]);
  expect(await db.sql('select id from businesses for update')).toHaveLength(1);
});
