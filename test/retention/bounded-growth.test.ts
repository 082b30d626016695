/** Five years of steady traffic with a fake clock: the retention jobs keep every table at a constant size. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deleteOldBulkOperationsJob } from '../../src/domains/bulk/lifecycle/delete-old-operations.ts';
import { deleteUnusedMediaJob } from '../../src/domains/media/delete-unused-media.ts';
import { deleteUnfinishedUploadsJob } from '../../src/domains/media/uploads/delete-unfinished-uploads.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { retentionJob } from '../../src/maintenance/retention-job.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createTraffic, day } from './sample-traffic.ts';

const start = Date.UTC(2030, 0, 1) / 1000;

let app: TestApp;
let shop: Shop;
let traffic: ReturnType<typeof createTraffic>;
const published = [{ id: newId(), status: 'PUBLISHED', changedBy: 'SYSTEM', timestamp: start }];
/** Permanent records: a newsletter, a subscription and a webhook endpoint. */
const [collectionId, subscriptionId, endpointId] = [newId(), newId(), newId()];

beforeAll(async () => {
  setTime(start);
  app = await testApp();
  shop = await app.shop();
  traffic = createTraffic(app, shop);
  const { businessId: business_id } = shop;
  const stamps = { version: 1, created_at: now(), updated_at: now() };
  await traffic.add('collections', {
    ...{ id: collectionId, business_id, name: 'Letter', slug: 'letter', type: 'NEWSLETTER' },
    ...{ statuses: published, document: {}, ...stamps },
  });
  await traffic.add('subscriptions', {
    ...{ id: subscriptionId, business_id, collection_id: collectionId, email: 'a@x.example' },
    ...{ key: 'a@x.example', name: '', status: 'ACTIVE', created_at: now(), updated_at: now() },
  });
  await traffic.add('webhook_endpoints', {
    ...{ id: endpointId, business_id, url: 'https://x.example', description: '', events: [], secret: '' },
    ...{ status: 'ACTIVE', ...stamps },
  });
});
afterAll(() => void vi.useRealTimers());

function setTime(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });
}

/** Adds a finished newsletter send, a delivered event, a finished import, an unused file and an unfinished upload. */
async function addDomainRows(): Promise<void> {
  const { add } = traffic;
  const { businessId: business_id } = shop;
  const [entryId, sendId, eventId, bulkId] = [newId(), newId(), newId(), newId()];
  const stamps = { created_at: now(), updated_at: now() };
  await add('entries', {
    ...{ id: entryId, business_id, owner: `collection:${collectionId}`, locale: 'en' },
    ...{ blocks: [], statuses: published, version: 1, ...stamps },
  });
  await add('newsletter_sends', {
    ...{ id: sendId, business_id, collection_id: collectionId, entry_id: entryId, status: 'SENT' },
    ...{ scheduled_at: now(), recipients: 1, sent: 1, failed: 0, created_at: now(), finished_at: now() },
    ...{ turn_at: 0, paused_until: 0 },
  });
  await add('newsletter_recipients', {
    ...{ send_id: sendId, subscription_id: subscriptionId, status: 'SENT', attempts: 1, free_at: 0 },
  });
  await add('webhook_events', {
    ...{ id: eventId, business_id, type: 'order.created', data: {}, created_at: now() },
  });
  await add('webhook_deliveries', {
    ...{ id: newId(), business_id, event_id: eventId, endpoint_id: endpointId, status: 'DELIVERED' },
    ...{ attempts: 1, attempts_before: 0, next_attempt_at: now(), created_at: now() },
  });
  await add('bulk_operations', {
    ...{ id: bulkId, business_id, kind: 'IMPORT', resource: 'PRODUCTS', format: 'JSONL', state: 'COMPLETED' },
    ...{ user_id: shop.admin.userId, size: 1, position: 1, line: 1, parts: [], done: 0, failed: 1 },
    ...{ finished_at: now(), ...stamps },
  });
  await add('bulk_errors', {
    ...{ id: newId(), operation_id: bulkId, line: 1, code: 'VALIDATION_ERROR', message: '', details: [] },
  });
  for (const state of ['READY', 'UPLOADING'])
    await add('media', {
      ...{ id: newId(), business_id, state, file_name: 'a.jpg', mime_type: 'image/jpeg', size: 1 },
      ...{ widths: [], alt: '', version: 1, ...stamps },
    });
}

it('reaches a constant size in every table', async () => {
  const { services } = app.app;
  const tables = [
    ...Object.keys(traffic.makers),
    ...['known_places', 'users', 'newsletter_recipients', 'webhook_deliveries', 'bulk_operations'],
    ...['bulk_errors', 'media', 'media_unused'],
  ];
  const sizes: Record<string, number[]> = Object.fromEntries(tables.map((table) => [table, []]));
  for (let time = start; time < start + 5 * 365 * day; time += 60 * day) {
    setTime(time);
    for (const create of Object.values(traffic.makers)) await create(shop.admin.userId);
    await traffic.place(shop.admin.userId, newId());
    await app.guest();
    await addDomainRows();
    for (const job of [
      retentionJob,
      deleteOldBulkOperationsJob,
      deleteUnusedMediaJob,
      deleteUnfinishedUploadsJob,
    ])
      await job.run(services, {});
    for (const table of tables) {
      const [row] = await app.db.sql<{ n: number }>(`select count(*)::int as n from ${table}`);
      sizes[table]?.push(row?.n ?? 0);
    }
  }
  // The longest retention is 400 days; after that the counts are constant.
  for (const [table, counts] of Object.entries(sizes))
    expect([table, ...new Set(counts.slice(8))]).toEqual([table, counts.at(-1)]);
  expect(sizes.newsletter_recipients?.at(8)).toBeGreaterThan(sizes.newsletter_recipients?.at(0) ?? 0);
});
