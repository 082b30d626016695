/** Lists go in and out as lines: once each, with their faults told by number, and the same again unchanged. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldBulkOperationsJob } from '../../src/domains/bulk/lifecycle/delete-old-operations.ts';
import { runErasers } from '../../src/domains/shared/erasure.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import {
  begin,
  bulkPath,
  cup,
  done,
  errorsOf,
  exported,
  finished,
  jsonl,
  namesOf,
  newCollection,
  send,
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

const names = (of: Shop) => namesOf(t, of);

describe('an import', () => {
  it('creates, changes by slug or id, and tells by line what was refused', async () => {
    const content = [
      jsonl(cup('Alpha'), cup('Beta')),
      '\n{"name": 1, "colour": "red", "constructor": 1}\n{"name": }\r\n[1]\n',
      jsonl({ name: 'Gamma', variants: [{ sku: 'Alpha-1' }] }, { slug: 'alpha', name: 'Alpha 2' }),
      jsonl({ slug: 'nowhere' }, { name: 'Nul\u0000' }),
      '{"name": "Last"}',
    ].join('');
    const operation = await done(t, shop, 'imports', { resource: 'PRODUCTS', content });
    expect(operation).toMatchObject({ state: 'COMPLETED', done: 4, failed: 6, total: 10, progress: 100 });
    expect(await errorsOf(t, shop, operation.id)).toEqual([
      [4, 'VALIDATION_FAILED', 'colour UNKNOWN_FIELD', 'constructor UNKNOWN_FIELD'],
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

it('is listed, and its errors, in a fixed number of statements', async () => {
  const content = jsonl({}, {}, {}, {});
  const { id } = await done(t, shop, 'imports', { resource: 'PRODUCTS', content });
  await done(t, shop, 'exports', { resource: 'PRODUCTS' });
  for (const path of [bulkPath(shop), `${bulkPath(shop)}/${id}/errors`]) {
    const cost = async (more: string) => {
      t.statements.length = 0;
      const answer = await t.rest<{ items: object[]; cursor: string | null }>('GET', `${path}?${more}`, {
        as: shop.admin,
      });
      return { statements: t.statements.length, ...answer.body };
    };
    const [one, many] = [await cost('limit=1'), await cost('limit=3')];
    const deep = await cost(`limit=1&cursor=${one.cursor}`);
    expect([one.items, many.items.length > 1, deep.items]).toEqual([
      [expect.anything()],
      true,
      [expect.anything()],
    ]);
    expect([one.statements, deep.statements]).toEqual([many.statements, many.statements]);
  }
});

describe('what is old', () => {
  it('goes, with its files', async () => {
    const other = await t.shop();
    const { id } = await done(t, other, 'exports', { resource: 'PRODUCTS' });
    expect(await readdir(join(folder, other.businessId))).toEqual([id]);
    await t.db.sql('update bulk_operations set updated_at = 0 where id = $1', [id]);
    await deleteOldBulkOperationsJob.run(t.app.services, {});
    expect((await t.rest('GET', `${bulkPath(other)}/${id}`, { as: other.admin })).status).toBe(404);
    expect(await readdir(join(folder, other.businessId)).catch(() => [])).toEqual([]);
  });

  it('goes with its business', async () => {
    const other = await t.shop();
    await done(t, other, 'exports', { resource: 'PRODUCTS' });
    await t.rest('DELETE', `/v1/businesses/${other.businessId}`, { as: other.admin });
    await t.app.drainJobs();
    expect(await readdir(folder)).not.toContain(other.businessId);
    expect(await readdir(folder)).toContain(shop.businessId);
  });

  it('goes where it names somebody who has gone, and nowhere else', async () => {
    const collectionId = await newCollection(t, shop, { name: 'Gone', type: 'NEWSLETTER' });
    const input = { resource: 'SUBSCRIBERS', collectionId, format: 'CSV' };
    const ids: string[] = [];
    for (const content of [
      'email\nstays@x.example\n',
      `email,name\nx@x.example,${'x'.repeat(70_000)}\nLeaves@x.example,L\n`,
    ])
      ids.push((await done(t, shop, 'imports', { ...input, content })).id);
    const gone = { userId: foreign.admin.userId, contacts: ['leaves@x.example'], goneAt: new Date() };
    await runErasers(t.app.services, gone);
    expect(await readdir(join(folder, shop.businessId))).toContain(ids[0]);
    expect(await readdir(join(folder, shop.businessId))).not.toContain(ids[1]);
    expect((await t.rest('GET', `${bulkPath(shop)}/${ids[1]}`, { as: shop.admin })).status).toBe(404);
  });
});

describe('other records', () => {
  it('gives entries back as they were, in both formats', async () => {
    const blocks = [{ id: 'title', type: 'TEXT', required: true }];
    const collectionId = await newCollection(t, shop, { name: 'News', blocks });
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
    const collectionId = await newCollection(t, shop, {
      name: 'Weekly',
      type: 'NEWSLETTER',
      doubleOptIn: true,
    });
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
    const { id } = await begin(t, shop, 'exports', input);
    await t.rest('DELETE', `/v1/businesses/${shop.businessId}/collections/${collectionId}?force=true`, {
      as: shop.admin,
    });
    expect(await finished(t, shop, id)).toMatchObject({
      state: 'FAILED',
      reason: 'NOT_FOUND: Collection not found.',
    });
  });
});
