/** Retention times of all tables, with a fake clock. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { retentionAuditContext } from '../../src/db/audit-context.ts';
import { newId, newIdAt } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { allRetentionRules, retentionJob } from '../../src/maintenance/retention-job.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createTraffic, day } from './sample-traffic.ts';

const start = Date.UTC(2030, 0, 1) / 1000;

let app: TestApp;
let shop: Shop;
let traffic: ReturnType<typeof createTraffic>;
beforeAll(async () => {
  setTime(start);
  app = await testApp();
  shop = await app.shop();
  traffic = createTraffic(app, shop);
});
afterEach(() => setTime(start));
afterAll(() => void vi.useRealTimers());

function setTime(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });
}

const runRetentionJob = () => retentionJob.run(app.app.services, {});
const count = async (table: string) =>
  (await app.db.sql<{ n: number }>(`select count(*) as n from ${table}`))[0]?.n ?? 0;

const lifetimes: [table: string, seconds: number][] = [
  ['idempotency_keys', day],
  ['sessions', day],
  ['one_time_tokens', day],
  ['oauth_states', day],
  ['login_codes', day],
  ['phone_codes', day],
  // Longer than the lifetime of a session token, with a margin for clock differences.
  ['revoked_sessions', 2 * day],
  ['outbox_messages', 30 * day],
  ['security_events', 400 * day],
  ['payment_events', 400 * day],
  ['webhook_events', 30 * day],
  ['carts', 30 * day],
  ['changes', 400 * day],
  ['usage', 90 * day],
  ['request_log', 7 * day],
];

const empty = (table: string) =>
  app.db.withContext({ auditContext: retentionAuditContext }).write(`delete from ${table}`);

it.each(lifetimes)('deletes %s after its retention time and not before', async (table, seconds) => {
  await empty(table);
  await traffic.makers[table]?.(shop.admin.userId);
  setTime(start + seconds);
  await runRetentionJob();
  expect(await count(table)).toBe(1);
  setTime(start + seconds + 1);
  await runRetentionJob();
  expect(await count(table)).toBe(0);
});

it('deletes sign-in locations after 30 days, except the last one of each user, which detects new locations', async () => {
  const [user, otherUser] = [await app.person(), await app.person()];
  const remaining = async () =>
    (await app.db.sql<{ place: string }>('select place from known_places order by place')).map(
      (row) => row.place,
    );
  await empty('known_places');
  await traffic.place(user.userId, 'first');
  await traffic.place(otherUser.userId, 'same second, a');
  await traffic.place(otherUser.userId, 'same second, b');
  setTime(start + day);
  await traffic.place(user.userId, 'second');
  setTime(start + 30 * day);
  await runRetentionJob();
  expect(await remaining()).toHaveLength(4);
  setTime(start + 400 * day);
  await runRetentionJob();
  expect(await remaining()).toEqual(['same second, b', 'second']);
});

it('deletes more rows than one batch and keeps recent rows', async () => {
  await app.db.write(
    `insert into payment_events (provider, id, type, received_at)
     select 'sandbox', 'old-' || n, 'paid', $1::bigint from generate_series(1, 1234) n
     union all select 'sandbox', 'young', 'paid', $2::bigint`,
    [start - 401 * day, start],
  );
  app.statements.length = 0;
  await runRetentionJob();
  expect(await app.db.sql('select id from payment_events')).toEqual([{ id: 'young' }]);
  expect(app.statements.filter((text) => text.includes('from payment_events')).length).toBe(4);
});

it('deletes guests without orders and without a valid session', async () => {
  const [guestWithoutOrder, buyer, returning] = [await app.guest(), await app.guest(), await app.guest()];
  const [customer, importedBuyer] = [await app.person(), await app.guest()];
  await insertOrder(buyer.userId);
  // An imported order that is older than the guest account it was assigned to.
  await insertOrder(importedBuyer.userId, newIdAt(start - 400 * day));
  await traffic.makers.sessions?.(returning.userId);
  await app.db.write('update sessions set expires_at = null where user_id = $1::uuid', [returning.userId]);
  const remaining = async () =>
    (
      await app.db.sql<{ id: string }>('select id from users where id = any($1::uuid[]) order by id', [
        [guestWithoutOrder, buyer, returning, customer, importedBuyer].map(({ userId }) => userId),
      ])
    ).map(({ id }) => id);
  setTime(start + 29 * day);
  await runRetentionJob();
  expect(await remaining()).toEqual(
    [guestWithoutOrder, buyer, returning, customer, importedBuyer].map(({ userId }) => userId).sort(),
  );
  setTime(start + 31 * day);
  await runRetentionJob();
  expect(await remaining()).toEqual(
    [buyer, returning, customer, importedBuyer].map(({ userId }) => userId).sort(),
  );
});

const insertOrder = (customerId: string, id = newId()) =>
  traffic.add('orders', {
    id,
    business_id: shop.businessId,
    customer_id: customerId,
    market: 'US',
    currency: 'USD',
    lines: [],
    subtotal: 0,
    tax: 0,
    shipping: 0,
    discount: 0,
    total: 0,
    statuses: [{ id: newId(), status: 'CREATED', changedBy: 'SYSTEM', timestamp: now() }],
    payment_statuses: [{ id: newId(), status: 'CREATED', changedBy: 'SYSTEM', timestamp: now() }],
    created_at: now(),
    updated_at: now(),
  });

const owned = 'deleted with the record or account it belongs to';
const accounting = 'accounting: never deleted';
const ownJob = 'deleted by a job of its own';

/** Tables without a retention rule, by reason. A new table needs a rule or an entry here. */
const withoutRule: Record<string, readonly string[]> = {
  'created and deleted by users': [
    ...['businesses', 'markets', 'shipping_methods', 'promo_codes', 'roles', 'memberships', 'collections'],
    ...[
      'customer_groups',
      'customer_group_members',
      'products',
      'entries',
      'webhook_endpoints',
      'put_aside',
      'brandings',
      'categories',
      'mail_templates',
    ],
  ],
  [owned]: [
    ...[
      'api_tokens',
      'identities',
      'variants',
      'product_attributes',
      'product_listings',
      'product_old_slugs',
    ],
    ...[
      'product_prices',
      'product_stock',
      'entry_drafts',
      'entry_old_slugs',
      'entry_sort_keys',
      'entry_values',
    ],
    ...['entry_versions', 'media_uses', 'newsletter_sends', 'bulk_errors', 'webhook_deliveries'],
    'request_log_settings',
  ],
  [accounting]: ['orders', 'order_numbers', 'payment_attempts', 'refunds', 'promo_claims', 'stock_movements'],
  [ownJob]: ['users', 'erasures', 'bulk_operations', 'media', 'media_unused', 'renewal_endings'],
  'one row per key rotation': ['signing_keys'],
  'one row': ['lineage'],
  'directory of businesses, one row per moved business': [
    'business_placements',
    'business_moves',
    'business_write_fences',
  ],
  'the sandbox payment provider': ['sandbox_payments', 'sandbox_subscriptions'],
};

it('is defined for every table', async () => {
  const tables = await app.db.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema() and tablename not like '\\_%' order by 1`,
  );
  const covered = [...allRetentionRules.map(({ table }) => table), ...Object.values(withoutRule).flat()];
  expect(tables.map(({ name }) => name)).toEqual([...covered].sort());
});

it('is configurable', () => {
  const { retention } = readConfig({ RETENTION_GUESTS: '7d', RETENTION_WEBHOOKS: '12h' });
  expect(retention).toMatchObject({ guests: 7 * day, webhooks: day / 2, securityEvents: 400 * day });
  for (const value of ['7', '-1d', 'd', '1w']) {
    expect(() => readConfig({ RETENTION_GUESTS: value })).toThrow(
      'RETENTION_GUESTS: must look like 12h or 30d',
    );
  }
  expect(() => readConfig({ RETENTION_IDEMPOTENCY_KEYS: '1h' })).toThrow('must be 24h or more');
  expect(new Set(allRetentionRules.map(({ table }) => table)).size).toBe(allRetentionRules.length);
});
