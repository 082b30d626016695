/** What is kept how long, with a clock that the test moves. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { retentionAuditContext } from '../../src/db/audit-context.ts';
import { newId, newIdAt } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { allRetentionRules, retentionJob } from '../../src/maintenance/background-jobs.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createTraffic, day } from './sample-traffic.ts';

const start = Date.UTC(2030, 0, 1) / 1000;

let app: TestApp;
let shop: Shop;
let traffic: ReturnType<typeof createTraffic>;
beforeAll(async () => {
  at(start);
  app = await testApp();
  shop = await app.shop();
  traffic = createTraffic(app, shop);
});
afterEach(() => at(start));
afterAll(() => void vi.useRealTimers());

function at(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });
}

const sweepNow = () => retentionJob.run(app.app.services, {});
const count = async (table: string) =>
  (await app.db.sql<{ n: number }>(`select count(*) as n from ${table}`))[0]?.n ?? 0;

const lifetimes: [table: string, seconds: number][] = [
  ['idempotency_keys', day],
  ['sessions', day],
  ['one_time_tokens', day],
  ['oauth_states', day],
  ['login_codes', day],
  ['phone_codes', day],
  // Longer than a token of one of them is good for, whatever the clocks say.
  ['revoked_sessions', 2 * day],
  ['outbox_messages', 30 * day],
  ['security_events', 400 * day],
  ['payment_events', 400 * day],
  ['webhook_events', 30 * day],
  ['carts', 30 * day],
  ['changes', 400 * day],
  ['usage', 90 * day],
];

const empty = (table: string) =>
  app.db.withContext({ auditContext: retentionAuditContext }).sql(`delete from ${table}`);

it.each(lifetimes)('keeps %s for its time and not longer', async (table, seconds) => {
  await empty(table);
  await traffic.makers[table]?.(shop.admin.userId);
  at(start + seconds);
  await sweepNow();
  expect(await count(table)).toBe(1);
  at(start + seconds + 1);
  await sweepNow();
  expect(await count(table)).toBe(0);
});

it('forgets where people have signed in from after 30 days, but for the last place: another one is news', async () => {
  const [one, other] = [await app.person(), await app.person()];
  const left = async () =>
    (await app.db.sql<{ place: string }>('select place from known_places order by place')).map(
      (row) => row.place,
    );
  await empty('known_places');
  await traffic.place(one.userId, 'first');
  await traffic.place(other.userId, 'same second, a');
  await traffic.place(other.userId, 'same second, b');
  at(start + day);
  await traffic.place(one.userId, 'second');
  at(start + 30 * day);
  await sweepNow();
  expect(await left()).toHaveLength(4);
  at(start + 400 * day);
  await sweepNow();
  expect(await left()).toEqual(['same second, b', 'second']);
});

it('goes through more than one batch holds, and leaves the young', async () => {
  await app.db.sql(
    `insert into payment_events (provider, id, type, received_at)
     select 'sandbox', 'old-' || n, 'paid', $1::bigint from generate_series(1, 1234) n
     union all select 'sandbox', 'young', 'paid', $2::bigint`,
    [start - 401 * day, start],
  );
  app.statements.length = 0;
  await sweepNow();
  expect(await app.db.sql('select id from payment_events')).toEqual([{ id: 'young' }]);
  expect(app.statements.filter((text) => text.includes('from payment_events')).length).toBe(4);
});

it('throws away guests who never bought and cannot come back', async () => {
  const [plain, buyer, returning] = [await app.guest(), await app.guest(), await app.guest()];
  const [customer, ofThePast] = [await app.person(), await app.guest()];
  await insertOrder(buyer.userId);
  // An order that was placed long before the guest came, elsewhere, and that staff have given to them.
  await insertOrder(ofThePast.userId, newIdAt(start - 400 * day));
  await traffic.makers.sessions?.(returning.userId);
  await app.db.sql('update sessions set expires_at = null where user_id = $1::uuid', [returning.userId]);
  const left = async () =>
    (
      await app.db.sql<{ id: string }>('select id from users where id = any($1::uuid[]) order by id', [
        [plain, buyer, returning, customer, ofThePast].map(({ userId }) => userId),
      ])
    ).map(({ id }) => id);
  at(start + 29 * day);
  await sweepNow();
  expect(await left()).toEqual(
    [plain, buyer, returning, customer, ofThePast].map(({ userId }) => userId).sort(),
  );
  at(start + 31 * day);
  await sweepNow();
  expect(await left()).toEqual([buyer, returning, customer, ofThePast].map(({ userId }) => userId).sort());
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

const own = 'goes with the record or account it belongs to';
const books = 'the books: kept for good';
const job = 'a job of its own throws it away';

/** Why everything else may stay. A new table is either swept or stands here. */
const stays: Record<string, readonly string[]> = {
  'made and removed by people': [
    ...['businesses', 'markets', 'shipping_methods', 'promo_codes', 'roles', 'memberships', 'collections'],
    ...['customer_groups', 'customer_group_members', 'products', 'entries', 'webhook_endpoints', 'put_aside'],
  ],
  [own]: [
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
  ],
  [books]: ['orders', 'order_numbers', 'payment_attempts', 'refunds', 'promo_claims', 'stock_movements'],
  [job]: ['users', 'erasures', 'bulk_operations', 'media', 'media_unused', 'renewal_endings'],
  'one for each turn of a key': ['signing_keys'],
  'one row': ['lineage'],
  'the provider that stands in for a real one': ['sandbox_payments', 'sandbox_subscriptions'],
};

it('is said of every table', async () => {
  const tables = await app.db.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema() and tablename not like '\\_%' order by 1`,
  );
  const said = [...allRetentionRules.map(({ table }) => table), ...Object.values(stays).flat()];
  expect(tables.map(({ name }) => name)).toEqual([...said].sort());
});

it('can be told to keep less, or more', () => {
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
