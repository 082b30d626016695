/** Request loaders: batched lookups, each id once, with a limit on ids per statement. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPerRequestLoader, maxLoaderBatchSize } from '../../src/lib/cache/per-request-loader.ts';

it('loads many ids in several batches, each id once', async () => {
  const batchSizes: number[] = [];
  const find = createPerRequestLoader(async (_request: object, ids) => {
    batchSizes.push(ids.length);
    return new Map(ids.filter((id) => id !== '7').map((id) => [id, Number(id)]));
  });
  const ids = Array.from({ length: 2 * maxLoaderBatchSize + 100 }, (_item, index) => String(index));
  const request = {};
  const values = await Promise.all([...ids, ...ids].map((id) => find(request, id)));
  expect(batchSizes).toEqual([maxLoaderBatchSize, maxLoaderBatchSize, 100]);
  expect(values.slice(6, 9)).toEqual([6, undefined, 8]);
  expect(values.slice(ids.length)).toEqual(values.slice(0, ids.length));
  await find({}, '1');
  expect(batchSizes.at(-1)).toBe(1);
});

it('limits the batch size of every loader in the sources', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated'))
    .map((name) => [name, readFileSync(`src/${name}`, 'utf8')] as const);
  const count = (text: string, sign: RegExp) => text.match(sign)?.length ?? 0;
  const loaders = sources.map(([name, text]) => ({
    name,
    made: count(text, /new DataLoader\b|\.loadable\w*\(/g),
    bounded: count(text, /\bmaxBatchSize: maxLoaderBatchSize\b/g),
  }));
  expect(loaders.filter(({ made }) => made > 0).length).toBeGreaterThan(4);
  expect(loaders.filter(({ made, bounded }) => made > bounded)).toEqual([]);
});
