/** Entries and subscribers go in and out as products do; orders only go out. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { bulkPath, done, errorsOf, exported, jsonl } from './setup.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-bulk-'));
  t = await testApp({ MEDIA_DIR: folder });
  shop = await t.shop();
  afterAll(() => rm(folder, { recursive: true }));
});

const collection = async (body: object) =>
  (
    await t.rest<{ id: string }>('POST', `/v1/businesses/${shop.businessId}/collections`, {
      as: shop.admin,
      body,
    })
  ).body.id;

it('gives entries back as they were, in both formats', async () => {
  const blocks = [{ id: 'title', type: 'TEXT', required: true }];
  const collectionId = await collection({ name: 'News', blocks });
  const title = (value: unknown) => ({ blocks: [{ id: 'title', type: 'TEXT', value }] });
  const content = jsonl({ ...title('=One'), status: 'PUBLISHED' }, title('Two, "2"'), title(3), {
    blocks: 'x',
  });
  const first = await done(t, shop, 'imports', { resource: 'ENTRIES', collectionId, content });
  expect(first).toMatchObject({ state: 'COMPLETED', done: 2, failed: 2 });
  expect((await errorsOf(t, shop, first.id)).map(([line]) => line)).toEqual([3, 4]);
  for (const format of ['JSONL', 'CSV']) {
    const asked = { resource: 'ENTRIES', format, collectionId };
    const now = async () => (await exported(t, shop, asked)).replace(/[,"]+(updatedAt":)?\d+[}\r]*$/gm, '');
    const before = await exported(t, shop, asked);
    const told = await now();
    expect(await done(t, shop, 'imports', { ...asked, content: before })).toMatchObject({
      done: 2,
      failed: 0,
    });
    expect(await now()).toBe(told);
  }
});

it('adds subscribers whom staff vouch for, and nobody who has left', async () => {
  const collectionId = await collection({ name: 'Weekly', type: 'NEWSLETTER', doubleOptIn: true });
  const input = { resource: 'SUBSCRIBERS', format: 'CSV', collectionId };
  const lines =
    'email,name,status\na@x.example,A,\nb@x.example,B,ACTIVE\nnobody,,\nc@x.example,C,UNSUBSCRIBED\n';
  expect(await done(t, shop, 'imports', { ...input, content: lines })).toMatchObject({ done: 2, failed: 2 });
  await t.db.sql(`update subscriptions set status = 'UNSUBSCRIBED' where key = 'a@x.example'`);
  const before = await exported(t, shop, input);
  expect(before).toContain('a@x.example,A,UNSUBSCRIBED');
  expect(before).toContain('b@x.example,B,ACTIVE');
  expect(await done(t, shop, 'imports', { ...input, content: before })).toMatchObject({ done: 2, failed: 0 });
  expect(await exported(t, shop, input)).toBe(before);
  expect(await done(t, shop, 'exports', { resource: 'SUBSCRIBERS' })).toMatchObject({ state: 'FAILED' });
});

it('exports orders, and takes none', async () => {
  const body = { resource: 'ORDERS', content: '{}\n' };
  const refused = await t.rest('POST', `${bulkPath(shop)}/imports`, { as: shop.admin, body });
  expect(refused.status).toBe(422);
  expect(await exported(t, shop, { resource: 'ORDERS', format: 'CSV' })).toMatch(
    /^id,number,status,[\w,]+\r\n$/,
  );
});
