/** Document cache: bounded memory, with a maximum share per caller. */
import { describe, expect, it } from 'vitest';
import { createDocumentCache } from '../../src/graphql/execute/document-preparer.ts';

const sizes = { fresh: 10_000, promoted: 20_000, share: 6_000 };
const source = (name: string, length = 500) => name.padEnd(length, ' ');

function fillCache(count: number, caller: (index: number) => string) {
  const cache = createDocumentCache<{ name: string }>(sizes);
  const promoted: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const text = source(`doc${index}`);
    cache.add(text, { name: text }, caller(index));
    if (cache.promote(text, 10)) promoted.push(text);
  }
  return { cache, promoted };
}

describe('document cache', () => {
  it('evicts documents seen once when new ones are added', () => {
    const cache = createDocumentCache<{ name: string }>(sizes);
    for (let index = 0; index < 100; index += 1) cache.add(source(`d${index}`), { name: `d${index}` }, 'a');
    expect(cache.get(source('d0'))).toBeUndefined();
    expect(cache.get(source('d99'))).toEqual({ name: 'd99' });
  });

  it('keeps promoted documents while others are seen once', () => {
    const { cache, promoted } = fillCache(1, () => 'a');
    for (let index = 0; index < 500; index += 1) cache.add(source(`d${index}`), { name: '' }, 'b');
    expect(cache.get(promoted[0] ?? '')).toBeDefined();
  });

  it('limits each caller to its share', () => {
    const { cache, promoted } = fillCache(100, () => 'a');
    // A document of 500 characters and 10 fields has a size of 1,300 units.
    expect(promoted).toHaveLength(4);
    const other = source('other');
    cache.add(other, { name: 'other' }, 'b');
    expect(cache.promote(other, 10)).toBe(true);
  });

  it('releases the share of evicted documents', () => {
    const { promoted } = fillCache(400, (index) => `caller${index % 20}`);
    // All callers together have filled the cache several times, and each may still promote more.
    expect(promoted.length).toBeGreaterThan(60);
  });

  it('counts at most 64 MB', () => {
    const cache = createDocumentCache<{ name: string }>();
    for (let index = 0; index < 1000; index += 1) {
      const text = source(`doc${index}`, 1000);
      cache.add(text, { name: text }, `caller${index}`);
      if (index % 2 === 0) cache.promote(text, 30);
    }
    const megabytes = (cache.stats.bytes ?? 0) / 1024 / 1024;
    expect(megabytes).toBeGreaterThan(55);
    expect(megabytes).toBeLessThanOrEqual(64);
  });

  it('promotes a document only once, and never an unknown one', () => {
    const { cache, promoted } = fillCache(1, () => 'a');
    expect(cache.promote(promoted[0] ?? '', 10)).toBe(true);
    expect(cache.promote('unknown', 10)).toBe(false);
  });
});
