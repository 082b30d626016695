/** Lists go in and out as lines: once each, with their faults told by number, the same again unchanged, and not for strangers. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { begin, bulkPath, done, errorsOf, exported, finished, jsonl, send } from './setup.ts';

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

const price = { marketId: 'us', currency: 'USD', price: 1200 };
const cup = (name: string, more: object = {}) => ({
  name,
  slug: name.toLowerCase(),
  variants: [{ sku: `${name}-1`, pricing: { markets: [price] }, inventory: { quantity: 5 } }],
  ...more,
});
const names = async (of: Shop) => {
  const { body } = await t.rest<{ items: { name: string }[] }>(
    'GET',
    `/v1/businesses/${of.businessId}/products?limit=100`,
    { as: of.admin },
  );
  return body.items.map(({ name }) => name).sort();
};

describe('an import', () => {
  it('creates, changes by slug or id, and tells by line what was refused', async () => {
    const content = [
      jsonl(cup('Alpha'), cup('Beta')),
      '\n{"name": 1, "colour": "red"}\n{"name": }\r\n[1]\n',
      jsonl({ name: 'Gamma', variants: [{ sku: 'Alpha-1' }] }, { slug: 'alpha', name: 'Alpha 2' }),
      jsonl({ slug: 'nowhere' }, { name: 'Nul\u0000' }),
      '{"name": "Last"}',
    ].join('');
    const operation = await done(t, shop, 'imports', { resource: 'PRODUCTS', content });
    expect(operation).toMatchObject({ state: 'COMPLETED', done: 4, failed: 6, total: 10, progress: 100 });
    expect(await errorsOf(t, shop, operation.id)).toEqual([
      [4, 'VALIDATION_FAILED', 'colour UNKNOWN_FIELD'],
      [5, 'VALIDATION_FAILED', ' INVALID_FORMAT'],
      [6, 'VALIDATION_FAILED', ' INVALID_TYPE'],
      [7, 'VALIDATION_FAILED', 'variants.0.sku SKU_TAKEN'],
      [9, 'VALIDATION_FAILED', 'name REQUIRED'],
      [10, 'VALIDATION_FAILED', 'name INVALID_TEXT'],
    ]);
    expect(await names(shop)).toEqual(['Alpha 2', 'Beta', 'Last']);
  });

  it('repeated, changes nothing but versions: variants keep their identity by SKU', async () => {
    const other = await t.shop();
    const content = jsonl(cup('Alpha'), cup('Beta'));
    await done(t, other, 'imports', { resource: 'PRODUCTS', content });
    const now = async () =>
      (await exported(t, other, { resource: 'PRODUCTS' })).replace(/,"updatedAt":\d+/g, '');
    const before = await now();
    expect(before.match(/"slug":"(alpha|beta)"/g)).toHaveLength(2);
    const again = await done(t, other, 'imports', { resource: 'PRODUCTS', content });
    expect(again).toMatchObject({ done: 2, failed: 0 });
    expect(await now()).toBe(before);
    expect(await done(t, other, 'imports', { resource: 'PRODUCTS', content: before })).toMatchObject({
      done: 2,
      failed: 0,
    });
    expect(await now()).toBe(before);
  });

  it('is signed by who asked for it, in the history of changes', async () => {
    const other = await t.shop();
    await done(t, other, 'imports', { resource: 'PRODUCTS', content: jsonl(cup('Delta')) });
    const { body } = await t.rest<{ items: object[] }>(
      'GET',
      `/v1/businesses/${other.businessId}/changes?kind=PRODUCT`,
      {
        as: other.admin,
      },
    );
    expect(body.items).toMatchObject([{ actor: 'USER', userId: other.admin.userId, voice: 'JOB' }]);
  });

  it('takes an uploaded file, once', async () => {
    const waiting = await begin(t, shop, 'imports', { resource: 'PRODUCTS' });
    expect(waiting).toMatchObject({ state: 'UPLOADING', progress: 0 });
    const sent = await send(t, waiting, jsonl({ name: 'Uploaded' }));
    expect([sent.status, ((await sent.json()) as { state: string }).state]).toEqual([201, 'QUEUED']);
    expect((await send(t, waiting, jsonl({ name: 'Twice' }))).status).toBe(422);
    expect(await finished(t, shop, waiting.id)).toMatchObject({ state: 'COMPLETED', done: 1 });
  });

  it('is one operation however often it is asked for with one key', async () => {
    const headers = { 'idempotency-key': 'one import' };
    const body = { resource: 'PRODUCTS', content: jsonl({ name: 'Keyed', slug: 'keyed' }) };
    const ask = () =>
      t.rest<{ id: string }>('POST', `${bulkPath(shop)}/imports`, { as: shop.admin, headers, body });
    const [first, second] = [await ask(), await ask()];
    expect(second.body.id).toBe(first.body.id);
    await finished(t, shop, first.body.id);
    expect((await names(shop)).filter((name) => name === 'Keyed')).toHaveLength(1);
  });

  it('can be cancelled before it begins, and not after its end', async () => {
    const { id } = await begin(t, shop, 'imports', {
      resource: 'PRODUCTS',
      content: jsonl({ name: 'Never' }),
    });
    const cancel = () =>
      t.rest<{ state: string }>('POST', `${bulkPath(shop)}/${id}/cancel`, { as: shop.admin });
    expect((await cancel()).body.state).toBe('CANCELLED');
    expect((await cancel()).body.state).toBe('CANCELLED');
    await finished(t, shop, id);
    expect(await names(shop)).not.toContain('Never');
    const ended = await done(t, shop, 'exports', { resource: 'PRODUCTS' });
    const late = await t.rest('POST', `${bulkPath(shop)}/${ended.id}/cancel`, { as: shop.admin });
    expect(late.status).toBe(422);
  });

  it('speaks GraphQL too', async () => {
    const { data, errors } = await t.graphql(
      `mutation($b: ID!, $content: String!) {
        startImport(businessId: $b, input: { resource: PRODUCTS, content: $content }) { bulkOperation { id state } } }`,
      { b: shop.businessId, content: jsonl({ name: 'Spoken' }, {}) },
      { as: shop.admin },
    );
    expect(errors).toEqual([]);
    const { id } = (data as unknown as { startImport: { bulkOperation: { id: string } } }).startImport
      .bulkOperation;
    // As a running gateway does it.
    await t.app.drainJobs();
    const seen = await t.graphql(
      `query($b: ID!, $id: ID!) {
        bulkOperation(businessId: $b, id: $id) { state done failed }
        bulkErrors(businessId: $b, id: $id) { totalCount nodes { line code } }
        bulkOperations(businessId: $b, first: 1, kind: IMPORT) { nodes { id } } }`,
      { b: shop.businessId, id },
      { as: shop.admin },
    );
    expect(seen.data).toEqual({
      bulkOperation: { state: 'COMPLETED', done: 1, failed: 1 },
      bulkErrors: { totalCount: 1, nodes: [{ line: 2, code: 'VALIDATION_FAILED' }] },
      bulkOperations: { nodes: [{ id }] },
    });
  });
});

describe('what is old', () => {
  it('goes, with its files', async () => {
    const other = await t.shop();
    const { id } = await done(t, other, 'exports', { resource: 'PRODUCTS' });
    expect(await readdir(join(folder, other.businessId))).toEqual([id]);
    await t.db.sql('update bulk_operations set updated_at = 0 where id = $1', [id]);
    const { cleanupJob } = await import('../../src/domains/bulk/cleanup.ts');
    await cleanupJob.run(t.app.services, {});
    expect((await t.rest('GET', `${bulkPath(other)}/${id}`, { as: other.admin })).status).toBe(404);
    expect(await readdir(join(folder, other.businessId)).catch(() => [])).toEqual([]);
  });
});

describe('other records', () => {
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
    expect(await done(t, shop, 'imports', { ...input, content: lines })).toMatchObject({
      done: 2,
      failed: 2,
    });
    await t.db.sql(`update subscriptions set status = 'UNSUBSCRIBED' where key = 'a@x.example'`);
    const before = await exported(t, shop, input);
    expect(before).toContain('a@x.example,A,UNSUBSCRIBED');
    expect(before).toContain('b@x.example,B,ACTIVE');
    expect(await done(t, shop, 'imports', { ...input, content: before })).toMatchObject({
      done: 2,
      failed: 0,
    });
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
