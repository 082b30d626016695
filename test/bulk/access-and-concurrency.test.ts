/** What strangers, customers, limited keys and those who were let go get: nothing; and what many get who come at once. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldBulkOperations } from '../../src/domains/bulk/lifecycle/delete-old-operations.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { faultsOf } from '../support/selling.ts';
import { begin, bulkPath, done, finished, jsonl, newCollection, type Operation, send } from './setup.ts';

let t: TestApp;
let shop: Shop;
let foreign: Shop;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-bulk-'));
  t = await testApp({ MEDIA_DIR: folder });
  [shop, foreign] = [await t.shop(), await t.shop()];
  afterAll(() => rm(folder, { recursive: true }));
});

const products = { resource: 'PRODUCTS', content: jsonl({ name: 'Theirs' }) };

describe('what is not theirs', () => {
  let people: Record<string, Person | undefined>;
  let id: string;

  beforeAll(async () => {
    people = {
      nobody: undefined,
      guest: await t.guest(),
      customer: await t.person(),
      'foreign admin': foreign.admin,
      editor: await t.hire(shop, await t.person(), 'EDITOR'),
      'key for orders': await t.withApiKey(shop.admin, ['ORDERS_READ']),
    };
    ({ id } = await done(t, shop, 'exports', { resource: 'PRODUCTS' }));
  });

  it.each([
    ['nobody', 401, 401],
    ['guest', 403, 403],
    ['customer', 403, 403],
    ['foreign admin', 403, 404],
    ['editor', 403, 404],
    ['key for orders', 403, 404],
  ])('%s', async (who, starting, reading) => {
    const as = people[who];
    const path = bulkPath(shop);
    const ask = async (method: string, at: string, body?: object) =>
      (await t.rest(method, `${path}${at}`, { as, ...(body ? { body } : {}) })).status;
    expect([
      await ask('POST', '/imports', products),
      await ask('POST', '/exports', { resource: 'PRODUCTS' }),
      await ask('GET', `/${id}`),
      await ask('GET', `/${id}/errors`),
      await ask('POST', `/${id}/cancel`),
    ]).toEqual([starting, starting, reading, reading, reading]);
    const listed = await t.rest<{ items?: { id: string }[] }>('GET', path, { as });
    expect((listed.body.items ?? []).map((one) => one.id)).not.toContain(id);
  });

  it('is not reached through their own business', async () => {
    const { id } = await begin(t, shop, 'imports', { resource: 'PRODUCTS' });
    for (const [method, at] of [
      ['GET', ''],
      ['GET', '/errors'],
      ['POST', '/cancel'],
    ]) {
      const answer = await t.rest(method ?? '', `${bulkPath(foreign)}/${id}${at}`, { as: foreign.admin });
      expect(answer.status).toBe(404);
    }
  });
});

it('ends what somebody began who may no longer do it', async () => {
  const clerk = await t.hire(shop, await t.person(), 'MANAGER');
  const { id } = await begin(t, shop, 'imports', products, clerk);
  await t.db.prisma.membership.deleteMany({ where: { userId: clerk.userId } });
  expect(await finished(t, shop, id)).toMatchObject({
    state: 'FAILED',
    done: 0,
    reason: expect.stringMatching(/^FORBIDDEN/),
  });
});

it('ends what was begun with a key that is revoked', async () => {
  const key = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
  const [kept, revoked] = [
    await begin(t, shop, 'imports', products, key),
    await begin(t, shop, 'imports', products, key),
  ];
  expect(await finished(t, shop, kept.id)).toMatchObject({ state: 'COMPLETED', done: 1 });
  await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId, name: 'test' } });
  expect(await finished(t, shop, revoked.id)).toMatchObject({ state: 'FAILED', done: 0 });
});

it('lets ten operations of a business wait at a time, whoever comes together and however', async () => {
  const busy = await t.shop();
  const form = await begin(t, busy, 'imports', { resource: 'PRODUCTS' });
  const ask = () =>
    t.rest('POST', `${bulkPath(busy)}/exports`, { as: busy.admin, body: { resource: 'PRODUCTS' } });
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  expect((await send(t, form, jsonl({ name: 'Eleventh' }))).status).toBe(429);
  expect(await readdir(join(folder, busy.businessId, form.id)).catch(() => [])).toEqual([]);
  await t.db.sql(`update bulk_operations set state = 'CANCELLED' where business_id = $1 and id <> $2`, [
    busy.businessId,
    form.id,
  ]);
  expect((await send(t, form, jsonl({ name: 'First' }))).status).toBe(201);
});

it('keeps twenty forms of a business open at a time, and none that is a day old', async () => {
  const busy = await t.shop();
  const ask = (by = busy) =>
    t.rest<{ id: string }>('POST', `${bulkPath(by)}/imports`, {
      as: by.admin,
      body: { resource: 'PRODUCTS' },
    });
  const statuses = (await Promise.all(Array.from({ length: 22 }, () => ask())))
    .map(({ status }) => status)
    .sort();
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
  expect((await ask(shop)).status).toBe(200);
  const grow = (seconds: number) =>
    t.db.sql(
      'update bulk_operations set created_at = created_at - $2, updated_at = updated_at - $2 where business_id = $1',
      [busy.businessId, seconds],
    );
  await grow(3600);
  const { status, body: fresh } = await ask();
  expect(status).toBe(200);
  await deleteOldBulkOperations(t.app.services);
  expect(await t.db.prisma.bulkOperation.count({ where: { businessId: busy.businessId } })).toBe(21);
  await grow(86_000);
  await deleteOldBulkOperations(t.app.services);
  expect(
    await t.db.prisma.bulkOperation.findMany({
      where: { businessId: busy.businessId },
      select: { id: true },
    }),
  ).toEqual([{ id: fresh.id }]);
});

describe('addresses of files', () => {
  it('work for one file, as they were signed, until they end', async () => {
    const { resultUrl = '', id } = await done(t, shop, 'exports', { resource: 'PRODUCTS' });
    const other = await done(t, shop, 'exports', { resource: 'PRODUCTS' });
    const status = async (url: string) => (await t.app.fetch(new Request(url))).status;
    expect(await status(resultUrl)).toBe(200);
    const expires = /expires=(\d+)/.exec(resultUrl)?.[1] ?? '';
    for (const wrong of [
      resultUrl.replace(id, other.id),
      resultUrl.replace(expires, String(Number(expires) + 1)),
      resultUrl.replace(/signature=./, 'signature=x'),
      resultUrl.replace(/\?.*/, ''),
      resultUrl.replace(expires, 'Infinity'),
    ])
      expect(await status(wrong)).toBe(404);
  });

  it('take no file without the token of their form', async () => {
    const waiting = await begin(t, shop, 'imports', { resource: 'PRODUCTS' });
    const other = await begin(t, foreign, 'imports', { resource: 'PRODUCTS' }, foreign.admin);
    const lie = { ...waiting, upload: { ...waiting.upload, fields: other.upload?.fields } };
    expect((await send(t, lie as typeof waiting, jsonl({ name: 'Smuggled' }))).status).toBe(422);
    expect((await send(t, waiting, '')).status).toBe(422);
  });

  it('are good no longer than the role, the key or the account they were given to', async () => {
    const [fired, gone] = [await t.person(), await t.person()];
    for (const person of [fired, gone]) await t.hire(shop, person, 'MANAGER');
    const key = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
    const { id } = await done(t, shop, 'exports', { resource: 'PRODUCTS' });
    const given: { url: string; form: Operation }[] = [];
    for (const as of [fired, gone, key, shop.admin]) {
      const { body } = await t.rest<Operation>('GET', `${bulkPath(shop)}/${id}`, { as });
      given.push({
        url: body.resultUrl ?? '',
        form: await begin(t, shop, 'imports', { resource: 'PRODUCTS' }, as),
      });
    }
    const statuses = () =>
      Promise.all(given.map(async ({ url }) => (await t.app.fetch(new Request(url))).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await t.db.prisma.membership.deleteMany({ where: { userId: fired.userId } });
    await t.db.prisma.user.delete({ where: { id: gone.userId } });
    await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId } });
    expect(await statuses()).toEqual([404, 404, 404, 200]);
    expect(
      await Promise.all(given.map(async ({ form }) => (await send(t, form, jsonl({ name: 'Late' }))).status)),
    ).toEqual([422, 422, 422, 201]);
    const [first, , , own] = given;
    const borrowed = new URL(first?.url ?? '');
    borrowed.searchParams.set('user', shop.admin.userId);
    expect((await t.app.fetch(new Request(borrowed))).status).toBe(404);
    expect(own?.url).toContain(shop.admin.userId);
  });
});

it('begins nothing for a collection that is not there', async () => {
  const theirs = await newCollection(t, foreign, { name: 'Theirs', type: 'NEWSLETTER' });
  const count = () => t.db.prisma.bulkOperation.count({ where: { businessId: shop.businessId } });
  const before = await count();
  for (const kind of ['imports', 'exports'])
    for (const [resource, collectionId, expected] of [
      ['ENTRIES', 'nowhere', 'collectionId COLLECTION_NOT_FOUND'],
      ['ENTRIES', theirs, 'collectionId COLLECTION_NOT_FOUND'],
      ['SUBSCRIBERS', theirs, 'collectionId COLLECTION_NOT_FOUND'],
      ['SUBSCRIBERS', undefined, 'collectionId REQUIRED'],
      ['SUBSCRIBERS', '', 'collectionId REQUIRED'],
    ]) {
      const body = { resource, collectionId };
      const refused = await t.rest('POST', `${bulkPath(shop)}/${kind}`, { as: shop.admin, body });
      expect([refused.status, faultsOf(refused.body)], `${kind} ${resource}`).toEqual([422, [expected]]);
    }
  expect(await count()).toBe(before);
  expect(await done(t, shop, 'exports', { resource: 'ENTRIES', collectionId: '' })).toMatchObject({
    state: 'COMPLETED',
  });
});

it('fails as a whole for a file whose columns are wrong, and not for a line', async () => {
  const input = { resource: 'PRODUCTS', format: 'CSV' };
  const wrong = await done(t, shop, 'imports', { ...input, content: 'name,colour\nCup,red\n' });
  expect(wrong).toMatchObject({ state: 'FAILED', done: 0, reason: expect.stringMatching(/^UNKNOWN_FIELD/) });
  const lines = await done(t, shop, 'imports', {
    ...input,
    content: 'name,variants\nCup,[\nCup,"[]",1\nCup,[]\n',
  });
  expect(lines).toMatchObject({ state: 'COMPLETED', done: 1, failed: 2 });
});
