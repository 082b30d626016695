/** Import files whose lines take long to validate: other requests are served meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCsvHeader, parseImportLine } from '../../src/domains/bulk/files/import-and-export-lines.ts';
import { finishBulk, lineErrorsOf, productInput, runBulk, startBulk, uploadFile } from '../bulk/setup.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { cpuSlowdown, threadCpuMs } from '../support/cpu-time.ts';

let t: TestApp;
let shop: Shop;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-bulk-'));
  t = await testApp({ MEDIA_DIR: folder, RATE_LIMIT: 'off' });
  shop = await t.shop();
  afterAll(() => rm(folder, { recursive: true }));
});

const lineOf = (blocks: number) => `{"name":"x","blocks":[${'{},'.repeat(blocks - 1)}{}]}\n`;

async function importFile(content: string) {
  const operation = await startBulk(t, shop, 'imports', { resource: 'PRODUCTS' });
  const answer = await uploadFile(t, operation, content);
  expect(answer.status).toBe(201);
  return finishBulk(t, shop, operation.id);
}

describe('an import', () => {
  const columns = { name: 'text', blocks: 'json' } as const;
  const deep = `{"blocks":${'['.repeat(100)}${']'.repeat(100)}}`;

  it.each([
    ['long lists', lineOf(5001), 'TOO_LONG'],
    ['many values', `{"blocks":[[${'1,'.repeat(4999)}1],[${'1,'.repeat(4999)}1],1]}`, 'TOO_LONG'],
    ['deep nesting', deep, 'INVALID_TEXT'],
    ['NUL characters', '{"blocks":[{"a":"\\u0000"}]}', 'INVALID_TEXT'],
  ])('rejects lines with %s before it validates them', (_name, line, error) => {
    expect(() => parseImportLine(line, columns, undefined)).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ field: 'blocks', error })] }),
    );
  });

  it.each([
    ['long', JSON.stringify({ ['nam'.repeat(150_000)]: 1 })],
    ['many', JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`k${n}`, 1])))],
  ])('rejects %s unknown names quickly', (_name, line) => {
    const startedAt = threadCpuMs();
    expect(() => parseImportLine(line, columns, undefined)).toThrow();
    expect(() => parseCsvHeader(Object.keys(JSON.parse(line)).join(), columns)).toThrow();
    expect((threadCpuMs() - startedAt) / cpuSlowdown()).toBeLessThan(100);
  });

  it('stores short errors, also of names that the database cannot store', async () => {
    const names = ['nam'.repeat(100_000), '\u0000', `${'x'.repeat(499)}🙂`, '\ud800'];
    const content = names.map((name) => `${JSON.stringify({ [name]: 1 })}\n`).join('');
    const operation = await runBulk(t, shop, 'imports', { resource: 'PRODUCTS', content });
    expect(operation).toMatchObject({ state: 'COMPLETED', failed: 4 });
    const errors = await lineErrorsOf(t, shop, operation.id);
    expect(errors.map(([line, code]) => [line, code])).toEqual(
      names.map((_name, index) => [index + 1, 'VALIDATION_FAILED']),
    );
    expect(JSON.stringify(errors).length).toBeLessThan(5_000);
  });

  it('yields to the event loop between lines that are within the limits', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const operation = await importFile(lineOf(4000).repeat(10));
    clearInterval(timer);
    expect(operation).toMatchObject({ state: 'COMPLETED', failed: 10 });
    expect(ticks).toBeGreaterThan(10);
  });

  it('accepts a product with many variants', async () => {
    const [variant] = productInput('Many').variants;
    const variants = Array.from({ length: 60 }, (_, n) => ({ ...variant, sku: `many-${n}`, attributes: [] }));
    const content = `${JSON.stringify(productInput('Many', { variants }))}\n`;
    const operation = await runBulk(t, shop, 'imports', { resource: 'PRODUCTS', content });
    expect(await lineErrorsOf(t, shop, operation.id)).toEqual([]);
    expect(operation).toMatchObject({ done: 1, failed: 0 });
  });
});
