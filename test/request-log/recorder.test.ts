/** Recording: bounded queue, shares per business and caller, failed writes, retention, and the switch. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  LogEntryQueue,
  RequestLogRateLimits,
  TokenBuckets,
} from '../../src/domains/request-log/entry-queue-and-rates.ts';
import { maxLoggedRequestsPerBusiness } from '../../src/domains/request-log/model.ts';
import { newId } from '../../src/lib/ids.ts';
import { retentionJob } from '../../src/maintenance/retention-job.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { readLog } from './setup.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await t.shop();
});
afterAll(() => t.app.stop());

const entry = (businessId: string, message = '') => ({
  ...{ id: newId(), businessId, requestId: 'r', protocol: 'REST' as const, method: 'GET', operation: 'o' },
  ...{
    path: '/',
    isWrite: false,
    status: 200,
    message,
    durationMs: 1,
    caller: 'USER' as const,
    createdAt: 1,
  },
});

it('refills a bucket with time, and no further than its size', () => {
  const buckets = new TokenBuckets({ burst: 2, perSecond: 1 });
  const take = (at: number) => buckets.take('a', at);
  expect([take(0), take(0), take(0), take(999), take(1000), take(1001)]).toEqual([
    true,
    true,
    false,
    false,
    true,
    false,
  ]);
  expect([take(60_000), take(60_000), take(60_000)]).toEqual([true, true, false]);
  expect(buckets.take('b', 0)).toBe(true);
});

it('separates the shares of businesses, callers, outcomes and anonymous callers', () => {
  const shares = new RequestLogRateLimits({
    business: { burst: 3, perSecond: 0 },
    caller: { burst: 2, perSecond: 0 },
  });
  const base = { businessId: 'b', caller: 'a', isIdentified: true, isError: false };
  const take = (changes: Partial<typeof base>) => shares.take({ ...base, ...changes }, 0);
  expect([take({}), take({}), take({})]).toEqual([true, true, false]);
  expect(take({ isError: true })).toBe(true);
  expect([take({ caller: 'c' }), take({ caller: 'd' })]).toEqual([true, false]);
  expect(take({ caller: 'n', isIdentified: false })).toBe(true);
  expect(take({ caller: 'e', businessId: 'other' })).toBe(true);
});

it('bounds the queue in bytes, with a quarter for a business, and counts what it drops', () => {
  const queue = new LogEntryQueue({ bytes: 8000, bytesPerBusiness: 2000 });
  const add = (business: string) => queue.add(entry(business, 'x'.repeat(200)));
  const flood = Array.from({ length: 50 }, () => add('flood'));
  expect(flood.filter(Boolean).length).toBeLessThan(5);
  expect(['b', 'c', 'd'].map(add)).toEqual([true, true, true]);
  expect(queue.bytes).toBeLessThanOrEqual(8000);
  const { rows, skipped } = queue.drain();
  expect(rows.length + (skipped.get('flood') ?? 0)).toBe(53);
  expect([queue.bytes, queue.drain().rows]).toEqual([0, []]);
});

it('records a part of a flood, counts the rest, and leaves the share of another business alone', async () => {
  const [flooded, quiet] = [await t.shop(), await t.shop()];
  const read = (of: Shop) => t.rest('GET', `/v1/businesses/${of.businessId}/products`, { as: of.admin });
  for (let n = 0; n < 200; n += 1) await read(flooded);
  await read(quiet);
  const settingsOf = async (of: Shop) =>
    (
      await t.rest<{ skippedToday: number }>('GET', `/v1/businesses/${of.businessId}/request-log-settings`, {
        as: of.admin,
      })
    ).body;
  const recorded = (await readLog(t, flooded, '?limit=100')).length;
  expect(recorded).toBeGreaterThanOrEqual(60);
  expect(recorded).toBeLessThan(90);
  expect((await settingsOf(flooded)).skippedToday).toBe(200 - recorded);
  expect(await readLog(t, quiet)).toHaveLength(1);
  expect((await settingsOf(quiet)).skippedToday).toBe(0);
});

it('writes all entries by one statement, retries a failed write, and drops businesses that do not exist', async () => {
  await t.app.services.requestLog.flush();
  const paths = [shop.businessId, newId(), 'x'].map((id) => `/v1/businesses/${id}/products`);
  for (const path of paths) await t.rest('GET', path, { as: shop.admin });
  await t.db.sql('alter table request_log rename to request_log_away');
  await t.app.services.requestLog.flush();
  await t.db.sql('alter table request_log_away rename to request_log');
  t.statements.length = 0;
  await t.app.services.requestLog.flush();
  expect(t.statements.filter((text) => text.includes('insert'))).toHaveLength(1);
  expect(await readLog(t, shop)).toHaveLength(1);
});

it('loses no entry of others to an id, an operation name or a document that PostgreSQL cannot store', async () => {
  const victim = await t.shop();
  const { requestLog } = t.app.services;
  await requestLog.flush();
  const variables = { businessId: victim.businessId };
  for (const id of ['z'.repeat(36), '-'.repeat(36), 'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz'])
    await t.rest('GET', `/v1/businesses/${id}/products`, { as: victim.admin });
  for (const body of [
    { query: '{ __typename }', operationName: '\u0000\ud800', variables },
    { query: '{ unknown } # \u0000', variables },
  ])
    await t.rest('POST', '/graphql', { as: victim.admin, body });
  await t.rest('GET', `/v1/businesses/${victim.businessId}/products`, { as: victim.admin });
  await requestLog.flush();
  const operations = (await readLog(t, victim)).map(({ operation }) => operation);
  expect(operations).toContain('GET /v1/businesses/{businessId}/products');
});

it('does not fail a request when an entry cannot be built', async () => {
  const { status } = await t.rest('GET', `/v1/businesses/${shop.businessId}/products?x=%E0%A4%A`, {
    as: shop.admin,
  });
  expect(status).toBe(200);
});

it('deletes the oldest rows of a business beyond its share, those of strangers separately', async () => {
  const many = await t.shop();
  const add = (count: number, isMember: boolean) =>
    t.db.write(
      `insert into request_log (id, business_id, request_id, protocol, method, operation, path, is_write, status, duration_ms, caller, is_member, created_at)
       select gen_random_uuid(), $1::uuid, 'r', 'REST', 'GET', 'o', '/', false, 200, 1, 'USER', $2::boolean, extract(epoch from now())::bigint
       from generate_series(1, $3::int)`,
      [many.businessId, isMember, count],
    );
  await add(maxLoggedRequestsPerBusiness + 700, true);
  await add(5, false);
  await retentionJob.run(t.app.services, {});
  const rows = await t.db.sql<{ is_member: boolean; n: number }>(
    'select is_member, count(*)::int as n from request_log where business_id = $1::uuid group by 1 order by 1',
    [many.businessId],
  );
  expect(rows).toEqual([
    { is_member: false, n: 5 },
    { is_member: true, n: maxLoggedRequestsPerBusiness },
  ]);
});

it('is written every second while the app runs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const started = await t.shop();
  t.app.services.requestLog.start();
  await t.rest('GET', `/v1/businesses/${started.businessId}/products`, { as: started.admin });
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  await expect
    .poll(
      async () =>
        (await t.db.sql('select 1 from request_log where business_id = $1::uuid', [started.businessId]))
          .length,
    )
    .toBe(1);
});

it('records nothing with REQUEST_LOG=off', async () => {
  const off = await testApp({ REQUEST_LOG: 'off' });
  const of = await off.shop();
  await off.rest('GET', `/v1/businesses/${of.businessId}/products`, { as: of.admin });
  expect(await readLog(off, of)).toEqual([]);
  const { body } = await off.rest('GET', `/v1/businesses/${of.businessId}/request-log-settings`, {
    as: of.admin,
  });
  expect(body).toMatchObject({ enabled: false, retentionDays: 7, maxRequests: 20_000 });
  await off.app.stop();
});
