/** Write fences: a business that is being moved rejects writes in both protocols, and its rows know their business. */
import { beforeAll, expect, it } from 'vitest';
import { dbErrorToAppError } from '../../src/db/classify-db-errors.ts';
import { newId } from '../../src/lib/ids.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let moving: SellingShop;
let other: SellingShop;

beforeAll(async () => {
  t = await testApp();
  [moving, other] = [await createSellingShop(t), await createSellingShop(t)];
  const tables = await t.db.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     and (c.relname = 'businesses' or c.relname !~ '^business_' and exists (
       select from pg_attribute where attrelid = c.oid and attname = 'business_id' and not attisdropped))`,
  );
  // Twice: the second time changes nothing.
  for (const { name } of [...tables, ...tables])
    await t.db.prisma.$executeRawUnsafe(`CALL enable_write_fence('${name}')`);
  await t.db.write(
    "insert into business_write_fences (business_id, reason, since) values ($1, 'PAUSED', 0)",
    [moving.businessId],
  );
});

const createMarket = (shop: SellingShop) =>
  t.rest('POST', `/v1/businesses/${shop.businessId}/markets`, {
    as: shop.admin,
    headers: { 'idempotency-key': `market of ${shop.businessId}` },
    body: { code: 'UK', currency: 'GBP', taxBps: 0 },
  });

it('reject writes with 503 and Retry-After, and nothing is written', async () => {
  const rest = await createMarket(moving);
  expect([rest.status, rest.headers.get('retry-after')]).toEqual([503, '1']);
  const graphql = await t.graphql(
    `mutation ($id: ID!) { createRole(businessId: $id, input: { name: "Extra" }) { role { id } } }`,
    { id: moving.businessId },
    { as: moving.admin },
  );
  expect(graphql.errors.map(({ extensions }) => extensions.code)).toEqual(['UNAVAILABLE']);
  expect(await t.db.prisma.market.count({ where: { businessId: moving.businessId, key: 'uk' } })).toBe(0);
});

it('leave reads and other businesses alone', async () => {
  const read = await t.rest('GET', `/v1/businesses/${moving.businessId}/products`, { as: moving.admin });
  expect(read.status).toBe(200);
  expect((await createMarket(other)).status).toBe(200);
  const keys = await t.db.prisma.idempotencyKey.findMany();
  expect(keys.map(({ businessId }) => businessId)).toEqual([other.businessId]);
});

it('fill the business of a row that names only its parent', async () => {
  const { id } = await t.db.prisma.paymentAttempt.create({
    data: {
      id: newId(),
      reference: 'order:unknown',
      kind: 'order',
      subjectId: newId(),
      businessId: other.businessId,
      number: 1,
      amount: 1n,
      currency: 'USD',
      expiresAt: 0n,
      createdAt: 0n,
      updatedAt: 0n,
    },
  });
  const refund = { id: newId(), attemptId: id, paymentId: 'p', amount: 1n, currency: 'USD', createdAt: 0n };
  expect((await t.db.prisma.refund.create({ data: refund })).businessId).toBe(other.businessId);
});

it('reject a change of a row that names only its parent', async () => {
  const attempt = await t.db.prisma.paymentAttempt.findFirstOrThrow();
  await t.db.write(
    "insert into business_write_fences (business_id, reason, since) values ($1, 'PAUSED', 0)",
    [other.businessId],
  );
  await expect(
    t.db.prisma.paymentAttempt.update({ where: { id: attempt.id }, data: { captured: 1n } }),
  ).rejects.toSatisfy((error) => dbErrorToAppError(error)?.code === 'UNAVAILABLE');
  await expect(t.db.write('delete from refunds where attempt_id = $1', [attempt.id])).rejects.toMatchObject({
    code: 'DU001',
  });
});

it('end after ten seconds if they belong to a rehearsal', async () => {
  const setFence = (age: number) =>
    t.db.write(
      `update business_write_fences set reason = 'SNAPSHOT', since = extract(epoch from clock_timestamp())::bigint - $2
       where business_id = $1`,
      [moving.businessId, age],
    );
  await setFence(0);
  expect((await createMarket(moving)).status).toBe(503);
  await setFence(11);
  expect((await createMarket(moving)).status).toBe(200);
});
