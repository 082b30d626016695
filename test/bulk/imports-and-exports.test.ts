/** Imports and exports of products, entries and subscribers: line errors, repeated imports, cancellation, retention and erasure. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldBulkOperationsJob } from '../../src/domains/bulk/lifecycle/delete-old-operations.ts';
import { runPersonalDataErasers } from '../../src/domains/shared/personal-data/personal-data-eraser-registry.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import {
  bulkPath,
  exportContent,
  finishBulk,
  jsonl,
  lineErrorsOf,
  newCollection,
  productInput,
  productNames,
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

const names = (ofShop: Shop) => productNames(t, ofShop);

it('stores files of imports and exports readable only by the account of the gateway', async () => {
  const own = await t.shop();
  await runBulk(t, own, 'imports', { resource: 'PRODUCTS', content: jsonl(productInput('Private')) });
  await runBulk(t, own, 'exports', { resource: 'PRODUCTS' });
  const root = join(folder, own.businessId);
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const file of files)
    expect((await stat(join(file.parentPath, file.name))).mode & 0o777, file.name).toBe(0o600);
});

describe('an import', () => {
  it('creates and updates records by slug or id, and lists the errors of rejected lines', async () => {
    const content = [
      jsonl(productInput('Alpha'), productInput('Beta')),
      '\n{"name": 1, "colour": "red", "constructor": 1}\n{"name": }\r\n[1]\n',
      jsonl({ name: 'Gamma', variants: [{ sku: 'Alpha-1' }] }, { slug: 'alpha', name: 'Alpha 2' }),
      jsonl({ slug: 'nowhere' }, { name: 'Nul\u0000' }),
      jsonl({ name: 'Free', variants: [{ price: 1900, pricing: { markets: [{ markt: 'US' }] } }] }),
      '{"name": "Last"}',
    ].join('');
    const operation = await runBulk(t, shop, 'imports', { resource: 'PRODUCTS', content });
    expect(operation).toMatchObject({ state: 'COMPLETED', done: 4, failed: 7, total: 11, progress: 100 });
    expect(await lineErrorsOf(t, shop, operation.id)).toEqual([
      [4, 'VALIDATION_FAILED', 'colour UNKNOWN_FIELD', 'constructor UNKNOWN_FIELD'],
      [5, 'VALIDATION_FAILED', ' INVALID_FORMAT'],
      [6, 'VALIDATION_FAILED', ' INVALID_TYPE'],
      [7, 'VALIDATION_FAILED', 'variants.0.sku SKU_TAKEN'],
      [9, 'VALIDATION_FAILED', 'name REQUIRED'],
      [10, 'VALIDATION_FAILED', 'name INVALID_TEXT'],
      [
        11,
        'VALIDATION_FAILED',
        'variants.0.price UNKNOWN_FIELD',
        'variants.0.pricing.markets.0.markt UNKNOWN_FIELD',
        'variants.0.pricing.markets.0.marketId REQUIRED',
        'variants.0.pricing.markets.0.currency REQUIRED',
        'variants.0.pricing.markets.0.price REQUIRED',
      ],
    ]);
    expect(await names(shop)).toEqual(['Alpha 2', 'Beta', 'Last']);
  });

  it('changes only versions when repeated: variants keep their ids by SKU', async () => {
    const other = await t.shop();
    const content = jsonl(productInput('Alpha'), productInput('Beta'));
    await runBulk(t, other, 'imports', { resource: 'PRODUCTS', content });
    const currentExport = async () =>
      (await exportContent(t, other, { resource: 'PRODUCTS' })).replace(/,"updatedAt":\d+/g, '');
    const before = await currentExport();
    expect(before.match(/"slug":"(alpha|beta)"/g)).toHaveLength(2);
    const again = await runBulk(t, other, 'imports', { resource: 'PRODUCTS', content });
    expect(again).toMatchObject({ done: 2, failed: 0 });
    expect(await currentExport()).toBe(before);
    expect(await runBulk(t, other, 'imports', { resource: 'PRODUCTS', content: before })).toMatchObject({
      done: 2,
      failed: 0,
    });
    expect(await currentExport()).toBe(before);
  });

  it('is attributed to its requester in the change history', async () => {
    const other = await t.shop();
    await runBulk(t, other, 'imports', { resource: 'PRODUCTS', content: jsonl(productInput('Delta')) });
    const { body } = await t.rest<{ items: object[] }>(
      'GET',
      `/v1/businesses/${other.businessId}/changes?kind=PRODUCT`,
      {
        as: other.admin,
      },
    );
    expect(body.items).toMatchObject([{ actor: 'USER', userId: other.admin.userId, voice: 'JOB' }]);
  });

  it('accepts one uploaded file', async () => {
    const operation = await startBulk(t, shop, 'imports', { resource: 'PRODUCTS' });
    expect(operation).toMatchObject({ state: 'UPLOADING', progress: 0 });
    const response = await uploadFile(t, operation, jsonl({ name: 'Uploaded' }));
    expect([response.status, ((await response.json()) as { state: string }).state]).toEqual([201, 'QUEUED']);
    expect((await uploadFile(t, operation, jsonl({ name: 'Twice' }))).status).toBe(422);
    expect(await finishBulk(t, shop, operation.id)).toMatchObject({ state: 'COMPLETED', done: 1 });
  });

  it('is one operation for repeated requests with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'one import' };
    const body = { resource: 'PRODUCTS', content: jsonl({ name: 'Keyed', slug: 'keyed' }) };
    const startImport = () =>
      t.rest<{ id: string }>('POST', `${bulkPath(shop)}/imports`, { as: shop.admin, headers, body });
    const [first, second] = [await startImport(), await startImport()];
    expect(second.body.id).toBe(first.body.id);
    await finishBulk(t, shop, first.body.id);
    expect((await names(shop)).filter((name) => name === 'Keyed')).toHaveLength(1);
  });

  it('can be cancelled before it starts, and not after its end', async () => {
    const { id } = await startBulk(t, shop, 'imports', {
      resource: 'PRODUCTS',
      content: jsonl({ name: 'Never' }),
    });
    const cancel = () =>
      t.rest<{ state: string }>('POST', `${bulkPath(shop)}/${id}/cancel`, { as: shop.admin });
    expect((await cancel()).body.state).toBe('CANCELLED');
    expect((await cancel()).body.state).toBe('CANCELLED');
    await finishBulk(t, shop, id);
    expect(await names(shop)).not.toContain('Never');
    const completed = await runBulk(t, shop, 'exports', { resource: 'PRODUCTS' });
    const late = await t.rest('POST', `${bulkPath(shop)}/${completed.id}/cancel`, { as: shop.admin });
    expect(late.status).toBe(422);
  });

  it('works over GraphQL', async () => {
    const { data, errors } = await t.graphql(
      `mutation($b: ID!, $content: String!) {
        startImport(businessId: $b, input: { resource: PRODUCTS, content: $content }) { bulkOperation { id state } } }`,
      { b: shop.businessId, content: jsonl({ name: 'Spoken' }, {}) },
      { as: shop.admin },
    );
    expect(errors).toEqual([]);
    const { id } = (data as unknown as { startImport: { bulkOperation: { id: string } } }).startImport
      .bulkOperation;
    // Runs the jobs as a running gateway does.
    await t.app.drainJobs();
    const result = await t.graphql(
      `query($b: ID!, $id: ID!) {
        bulkOperation(businessId: $b, id: $id) { state done failed }
        bulkErrors(businessId: $b, id: $id) { totalCount nodes { line code } }
        bulkOperations(businessId: $b, first: 1, kind: IMPORT) { nodes { id } } }`,
      { b: shop.businessId, id },
      { as: shop.admin },
    );
    expect(result.data).toEqual({
      bulkOperation: { state: 'COMPLETED', done: 1, failed: 1 },
      bulkErrors: { totalCount: 1, nodes: [{ line: 2, code: 'VALIDATION_FAILED' }] },
      bulkOperations: { nodes: [{ id }] },
    });
  });
});

it('lists operations and line errors with a fixed number of statements', async () => {
  const content = jsonl({}, {}, {}, {});
  const { id } = await runBulk(t, shop, 'imports', { resource: 'PRODUCTS', content });
  await runBulk(t, shop, 'exports', { resource: 'PRODUCTS' });
  for (const path of [bulkPath(shop), `${bulkPath(shop)}/${id}/errors`]) {
    const cost = async (more: string) => {
      t.statements.length = 0;
      const answer = await t.rest<{ items: object[]; cursor: string | null }>('GET', `${path}?${more}`, {
        as: shop.admin,
      });
      return { statements: t.statements.length, ...answer.body };
    };
    const [single, several] = [await cost('limit=1'), await cost('limit=3')];
    const deep = await cost(`limit=1&cursor=${single.cursor}`);
    expect([single.items, several.items.length > 1, deep.items]).toEqual([
      [expect.anything()],
      true,
      [expect.anything()],
    ]);
    expect([single.statements, deep.statements]).toEqual([several.statements, several.statements]);
  }
});

describe('deletion of operations', () => {
  it('removes old operations with their files', async () => {
    const other = await t.shop();
    const { id } = await runBulk(t, other, 'exports', { resource: 'PRODUCTS' });
    expect(await readdir(join(folder, other.businessId))).toEqual([id]);
    await t.db.write('update bulk_operations set updated_at = 0 where id = $1', [id]);
    await deleteOldBulkOperationsJob.run(t.app.services, {});
    expect((await t.rest('GET', `${bulkPath(other)}/${id}`, { as: other.admin })).status).toBe(404);
    expect(await readdir(join(folder, other.businessId)).catch(() => [])).toEqual([]);
  });

  it('removes the files of a deleted business', async () => {
    const other = await t.shop();
    await runBulk(t, other, 'exports', { resource: 'PRODUCTS' });
    await t.rest('DELETE', `/v1/businesses/${other.businessId}`, { as: other.admin });
    await t.app.drainJobs();
    expect(await readdir(folder)).not.toContain(other.businessId);
    expect(await readdir(folder)).toContain(shop.businessId);
  });

  it('removes operations whose files contain a deleted user, and no others', async () => {
    const collectionId = await newCollection(t, shop, { name: 'Gone', type: 'NEWSLETTER' });
    const input = { resource: 'SUBSCRIBERS', collectionId, format: 'CSV' };
    const ids: string[] = [];
    for (const content of [
      'email\nstays@x.example\n',
      `email,name\nx@x.example,${'x'.repeat(70_000)}\nLeaves@x.example,L\n`,
    ])
      ids.push((await runBulk(t, shop, 'imports', { ...input, content })).id);
    const deletedUser = { userId: foreign.admin.userId, contacts: ['leaves@x.example'], goneAt: new Date() };
    await runPersonalDataErasers(t.app.services, deletedUser);
    expect(await readdir(join(folder, shop.businessId))).toContain(ids[0]);
    expect(await readdir(join(folder, shop.businessId))).not.toContain(ids[1]);
    expect((await t.rest('GET', `${bulkPath(shop)}/${ids[1]}`, { as: shop.admin })).status).toBe(404);
  });
});

describe('other record types', () => {
  it('restores entries in both formats', async () => {
    const blocks = [{ id: 'title', type: 'TEXT', required: true }];
    const collectionId = await newCollection(t, shop, { name: 'News', blocks });
    const title = (value: unknown) => ({ blocks: [{ id: 'title', type: 'TEXT', value }] });
    const content = jsonl({ ...title('=One'), status: 'PUBLISHED' }, title('Two, "2"'), title(3), {
      blocks: 'x',
    });
    const first = await runBulk(t, shop, 'imports', { resource: 'ENTRIES', collectionId, content });
    expect(first).toMatchObject({ state: 'COMPLETED', done: 2, failed: 2 });
    expect((await lineErrorsOf(t, shop, first.id)).map(([line]) => line)).toEqual([3, 4]);
    for (const format of ['JSONL', 'CSV']) {
      const input = { resource: 'ENTRIES', format, collectionId };
      const withoutTimestamps = async () =>
        (await exportContent(t, shop, input)).replace(/[,"]+(updatedAt":)?\d+[}\r]*$/gm, '');
      const before = await exportContent(t, shop, input);
      const expected = await withoutTimestamps();
      expect(await runBulk(t, shop, 'imports', { ...input, content: before })).toMatchObject({
        done: 2,
        failed: 0,
      });
      expect(await withoutTimestamps()).toBe(expected);
    }
  });

  it('imports active subscribers, and does not resubscribe unsubscribed ones', async () => {
    const collectionId = await newCollection(t, shop, {
      name: 'Weekly',
      type: 'NEWSLETTER',
      doubleOptIn: true,
    });
    const input = { resource: 'SUBSCRIBERS', format: 'CSV', collectionId };
    const lines =
      'email,name,status\na@x.example,A,\nb@x.example,B,ACTIVE\nnobody,,\nc@x.example,C,UNSUBSCRIBED\n';
    expect(await runBulk(t, shop, 'imports', { ...input, content: lines })).toMatchObject({
      done: 2,
      failed: 2,
    });
    await t.db.write(`update subscriptions set status = 'UNSUBSCRIBED' where key = 'a@x.example'`);
    const before = await exportContent(t, shop, input);
    expect(before).toContain('a@x.example,A,UNSUBSCRIBED');
    expect(before).toContain('b@x.example,B,ACTIVE');
    expect(await runBulk(t, shop, 'imports', { ...input, content: before })).toMatchObject({
      done: 2,
      failed: 0,
    });
    expect(await exportContent(t, shop, input)).toBe(before);
    const { id } = await startBulk(t, shop, 'exports', input);
    await t.rest('DELETE', `/v1/businesses/${shop.businessId}/collections/${collectionId}?force=true`, {
      as: shop.admin,
    });
    expect(await finishBulk(t, shop, id)).toMatchObject({
      state: 'FAILED',
      reason: 'NOT_FOUND: Collection not found.',
    });
  });
});
