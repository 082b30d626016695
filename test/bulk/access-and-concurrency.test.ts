/** Bulk operations: access control, revoked permissions, concurrency limits, and validity of upload forms and download URLs. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldBulkOperations } from '../../src/domains/bulk/lifecycle/delete-old-operations.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  bulkPath,
  finishBulk,
  jsonl,
  newCollection,
  type Operation,
  runBulk,
  startBulk,
  uploadFile,
} from './setup.ts';

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

describe('an operation without permission', () => {
  let people: Record<string, Person | undefined>;
  let id: string;

  beforeAll(async () => {
    people = {
      'no viewer': undefined,
      guest: await t.guest(),
      customer: await t.person(),
      'admin of another business': foreign.admin,
      editor: await t.addMember(shop, await t.person(), 'EDITOR'),
      'restricted key': await t.withApiKey(shop.admin, ['ORDERS_READ']),
    };
    ({ id } = await runBulk(t, shop, 'exports', { resource: 'PRODUCTS' }));
  });

  it.each([
    ['no viewer', 401, 401],
    ['guest', 403, 403],
    ['customer', 403, 403],
    ['admin of another business', 403, 404],
    ['editor', 403, 404],
    ['restricted key', 403, 404],
  ])('%s', async (kind, startStatus, readStatus) => {
    const as = people[kind];
    const path = bulkPath(shop);
    const statusOf = async (method: string, subPath: string, body?: object) =>
      (await t.rest(method, `${path}${subPath}`, { as, ...(body ? { body } : {}) })).status;
    expect([
      await statusOf('POST', '/imports', products),
      await statusOf('POST', '/exports', { resource: 'PRODUCTS' }),
      await statusOf('GET', `/${id}`),
      await statusOf('GET', `/${id}/errors`),
      await statusOf('POST', `/${id}/cancel`),
    ]).toEqual([startStatus, startStatus, readStatus, readStatus, readStatus]);
    const listed = await t.rest<{ items?: { id: string }[] }>('GET', path, { as });
    expect((listed.body.items ?? []).map((operation) => operation.id)).not.toContain(id);
  });

  it('is not accessible through another business', async () => {
    const { id } = await startBulk(t, shop, 'imports', { resource: 'PRODUCTS' });
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

it('fails an operation whose requester has lost the permission', async () => {
  const clerk = await t.addMember(shop, await t.person(), 'MANAGER');
  const { id } = await startBulk(t, shop, 'imports', products, clerk);
  await t.db.prisma.membership.deleteMany({ where: { userId: clerk.userId } });
  expect(await finishBulk(t, shop, id)).toMatchObject({
    state: 'FAILED',
    done: 0,
    reason: expect.stringMatching(/^FORBIDDEN/),
  });
});

it('fails an operation that was started with a revoked key', async () => {
  const key = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
  const [beforeRevocation, afterRevocation] = [
    await startBulk(t, shop, 'imports', products, key),
    await startBulk(t, shop, 'imports', products, key),
  ];
  expect(await finishBulk(t, shop, beforeRevocation.id)).toMatchObject({ state: 'COMPLETED', done: 1 });
  await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId, name: 'test' } });
  expect(await finishBulk(t, shop, afterRevocation.id)).toMatchObject({ state: 'FAILED', done: 0 });
});

it('allows ten active operations per business, also with concurrent requests and uploads', async () => {
  const busy = await t.shop();
  const form = await startBulk(t, busy, 'imports', { resource: 'PRODUCTS' });
  const startExport = () =>
    t.rest('POST', `${bulkPath(busy)}/exports`, { as: busy.admin, body: { resource: 'PRODUCTS' } });
  const answers = await Promise.all(Array.from({ length: 12 }, startExport));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  expect((await uploadFile(t, form, jsonl({ name: 'Eleventh' }))).status).toBe(429);
  expect(await readdir(join(folder, busy.businessId, form.id)).catch(() => [])).toEqual([]);
  await t.db.write(`update bulk_operations set state = 'CANCELLED' where business_id = $1 and id <> $2`, [
    busy.businessId,
    form.id,
  ]);
  expect((await uploadFile(t, form, jsonl({ name: 'First' }))).status).toBe(201);
});

it('allows twenty open upload forms per business, and deletes forms that are a day old', async () => {
  const busy = await t.shop();
  const startImport = (by = busy) =>
    t.rest<{ id: string }>('POST', `${bulkPath(by)}/imports`, {
      as: by.admin,
      body: { resource: 'PRODUCTS' },
    });
  const statuses = (await Promise.all(Array.from({ length: 22 }, () => startImport())))
    .map(({ status }) => status)
    .sort();
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
  expect((await startImport(shop)).status).toBe(200);
  const age = (seconds: number) =>
    t.db.write(
      'update bulk_operations set created_at = created_at - $2, updated_at = updated_at - $2 where business_id = $1',
      [busy.businessId, seconds],
    );
  await age(3600);
  const { status, body: fresh } = await startImport();
  expect(status).toBe(200);
  await deleteOldBulkOperations(t.app.services);
  expect(await t.db.prisma.bulkOperation.count({ where: { businessId: busy.businessId } })).toBe(21);
  await age(86_000);
  await deleteOldBulkOperations(t.app.services);
  expect(
    await t.db.prisma.bulkOperation.findMany({
      where: { businessId: busy.businessId },
      select: { id: true },
    }),
  ).toEqual([{ id: fresh.id }]);
});

describe('download URLs and upload forms', () => {
  it('are valid for one file, unmodified, until they expire', async () => {
    const { resultUrl = '', id } = await runBulk(t, shop, 'exports', { resource: 'PRODUCTS' });
    const other = await runBulk(t, shop, 'exports', { resource: 'PRODUCTS' });
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

  it('reject a file without the token of the form', async () => {
    const operation = await startBulk(t, shop, 'imports', { resource: 'PRODUCTS' });
    const other = await startBulk(t, foreign, 'imports', { resource: 'PRODUCTS' }, foreign.admin);
    const forged = { ...operation, upload: { ...operation.upload, fields: other.upload?.fields } };
    expect((await uploadFile(t, forged as typeof operation, jsonl({ name: 'Smuggled' }))).status).toBe(422);
    expect((await uploadFile(t, operation, '')).status).toBe(422);
  });

  it('become invalid with the role, API key or account they were issued to', async () => {
    const [removedMember, deletedUser] = [await t.person(), await t.person()];
    for (const person of [removedMember, deletedUser]) await t.addMember(shop, person, 'MANAGER');
    const key = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
    const { id } = await runBulk(t, shop, 'exports', { resource: 'PRODUCTS' });
    const issued: { url: string; form: Operation }[] = [];
    for (const as of [removedMember, deletedUser, key, shop.admin]) {
      const { body } = await t.rest<Operation>('GET', `${bulkPath(shop)}/${id}`, { as });
      issued.push({
        url: body.resultUrl ?? '',
        form: await startBulk(t, shop, 'imports', { resource: 'PRODUCTS' }, as),
      });
    }
    const statuses = () =>
      Promise.all(issued.map(async ({ url }) => (await t.app.fetch(new Request(url))).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await t.db.prisma.membership.deleteMany({ where: { userId: removedMember.userId } });
    await t.db.prisma.user.delete({ where: { id: deletedUser.userId } });
    await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId } });
    expect(await statuses()).toEqual([404, 404, 404, 200]);
    expect(
      await Promise.all(
        issued.map(async ({ form }) => (await uploadFile(t, form, jsonl({ name: 'Late' }))).status),
      ),
    ).toEqual([422, 422, 422, 201]);
    const [first, , , own] = issued;
    const borrowed = new URL(first?.url ?? '');
    borrowed.searchParams.set('user', shop.admin.userId);
    expect((await t.app.fetch(new Request(borrowed))).status).toBe(404);
    expect(own?.url).toContain(shop.admin.userId);
  });
});

it('does not start an operation for a collection that does not exist', async () => {
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
      expect([refused.status, detailErrors(refused.body)], `${kind} ${resource}`).toEqual([422, [expected]]);
    }
  expect(await count()).toBe(before);
  expect(await runBulk(t, shop, 'exports', { resource: 'ENTRIES', collectionId: '' })).toMatchObject({
    state: 'COMPLETED',
  });
});

it('fails as a whole for unknown columns, and per line for invalid lines', async () => {
  const input = { resource: 'PRODUCTS', format: 'CSV' };
  const wrong = await runBulk(t, shop, 'imports', { ...input, content: 'name,colour\nCup,red\n' });
  expect(wrong).toMatchObject({
    state: 'FAILED',
    done: 0,
    reason: expect.stringMatching(/^UNKNOWN_FIELD: Unknown column "colour"\. The columns are .*\bname, /),
  });
  const misspelt = await runBulk(t, shop, 'imports', { ...input, content: 'nme,variant\nCup,[]\n' });
  expect(misspelt.reason).toBe(
    'UNKNOWN_FIELD: Unknown column "nme". Did you mean name? Unknown column "variant". Did you mean variants?',
  );
  const lines = await runBulk(t, shop, 'imports', {
    ...input,
    content: 'name,variants\nCup,[\nCup,"[]",1\nCup,[]\n',
  });
  expect(lines).toMatchObject({ state: 'COMPLETED', done: 1, failed: 2 });
});
