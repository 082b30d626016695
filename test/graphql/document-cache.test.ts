/** Prepared documents take a bounded memory, however many there are and whoever sends them. */
import { describe, expect, it } from 'vitest';
import { createDocumentCache } from '../../src/graphql/execute/document-cache.ts';

const sizes = { fresh: 10_000, kept: 20_000, share: 6_000 };
const source = (name: string, length = 500) => name.padEnd(length, ' ');

function filled(count: number, caller: (index: number) => string) {
  const cache = createDocumentCache<{ name: string }>(sizes);
  const kept: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const text = source(`doc${index}`);
    cache.add(text, { name: text }, caller(index));
    if (cache.promote(text, 10)) kept.push(text);
  }
  return { cache, kept };
}

describe('the cache of documents', () => {
  it('forgets documents that were seen once when others come', () => {
    const cache = createDocumentCache<{ name: string }>(sizes);
    for (let index = 0; index < 100; index += 1) cache.add(source(`d${index}`), { name: `d${index}` }, 'a');
    expect(cache.get(source('d0'))).toBeUndefined();
    expect(cache.get(source('d99'))).toEqual({ name: 'd99' });
  });

  it('keeps what is run often, whatever else is seen once', () => {
    const { cache, kept } = filled(1, () => 'a');
    for (let index = 0; index < 500; index += 1) cache.add(source(`d${index}`), { name: '' }, 'b');
    expect(cache.get(kept[0] ?? '')).toBeDefined();
  });

  it('gives no caller more than a share', () => {
    const { cache, kept } = filled(100, () => 'a');
    // A document of 500 characters and 10 fields takes 1300 units.
    expect(kept).toHaveLength(4);
    const other = source('other');
    cache.add(other, { name: 'other' }, 'b');
    expect(cache.promote(other, 10)).toBe(true);
  });

  it('gives a share back with the documents that are forgotten', () => {
    const { kept } = filled(400, (index) => `caller${index % 20}`);
    // All callers together have filled the cache several times over, and each may still keep more.
    expect(kept.length).toBeGreaterThan(60);
  });

  it('is asked about one document several times', () => {
    const { cache, kept } = filled(1, () => 'a');
    expect(cache.promote(kept[0] ?? '', 10)).toBe(true);
    expect(cache.promote('unknown', 10)).toBe(false);
  });
});
