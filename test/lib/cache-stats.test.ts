/** Cache statistics by name, size accounting of the record cache, and its admission filter. */
import { describe, expect, it } from 'vitest';
import { collectCacheStats } from '../../src/lib/cache/cache-registry.ts';
import { createLongKeyLru, createNamedLru } from '../../src/lib/cache/named-lru.ts';
import { RecordCache, renderCached } from '../../src/lib/cache/record-cache.ts';

it('sums up caches with the same name', () => {
  const [first, second] = [createNamedLru<string>('test', 2), createNamedLru<string>('test', 2)];
  for (const key of ['a', 'b', 'c']) first.set(key, key);
  second.set('d', 'd');
  expect([first.get('a'), first.get('c'), second.get('d'), second.get('e')]).toEqual([
    undefined,
    'c',
    'd',
    undefined,
  ]);
  expect(collectCacheStats().get('test')).toEqual({ entries: 3, hits: 2, misses: 2 });
});

it('does not confuse long keys with equal ends', () => {
  const texts = createLongKeyLru<number>('test texts', 100);
  const text = (middle: string, end = 'z') => `${'a'.repeat(500)}${middle}${end.repeat(500)}`;
  texts.set(text('one'), 1);
  expect(texts.get(text('one'))).toBe(1);
  for (const otherKey of [text('two'), text('three'), text('one', 'y'), text('one').slice(1), ''])
    expect(texts.get(otherKey)).toBeUndefined();
  // Keys of equal length and ends replace each other.
  texts.set(text('two'), 2);
  expect([texts.get(text('one')), texts.get(text('two'))]).toEqual([undefined, 2]);
  texts.set(text('three'), 3);
  expect([texts.get(text('two')), texts.get(text('three'))]).toEqual([2, 3]);
  texts.clear();
  expect(texts.get(text('three'))).toBeUndefined();
});

it('reports the bytes of a cache that is limited by bytes', () => {
  const before = collectCacheStats().get('records') ?? { entries: 0, bytes: 0, hits: 0, misses: 0 };
  const cache = new RecordCache(1_000_000);
  cache.put('one', 1, { id: 'one' }, 100);
  cache.get('one');
  cache.get('two');
  const { entries, bytes = 0, hits, misses } = collectCacheStats().get('records') ?? before;
  expect([entries - before.entries, hits - before.hits, misses - before.misses]).toEqual([1, 1, 1]);
  expect(bytes - (before.bytes ?? 0)).toBe(cache.stats.bytes);
});

it('stores a body in a buffer of its own length and counts its compressed variants', () => {
  const cache = new RecordCache(1_000_000);
  const record = cache.put('one', 1, { id: 'one' }, 100);
  const before = cache.stats.bytes ?? 0;
  const renderBody = () => ({ bytes: Buffer.from('x'.repeat(300)) });
  const bodies = [record, cache.sharedView(record, () => ({ id: 'view' }))].map(
    (view) => renderCached(view, {}, renderBody).bytes,
  );
  for (const bytes of bodies) {
    expect(Buffer.from(bytes).toString()).toBe('x'.repeat(300));
    expect(bytes.buffer.byteLength).toBe(300);
  }
  expect(cache.stats.bytes).toBe(before + 2 * 2 * 300);
});

it('subtracts the size of an evicted body', () => {
  const cache = new RecordCache(1_000_000);
  const record = cache.put('one', 1, { id: 'one' }, 100);
  const before = cache.stats.bytes ?? 0;
  for (let size = 1; size <= 10; size += 1) renderCached(record, {}, () => ({ bytes: Buffer.alloc(size) }));
  expect(cache.stats.bytes).toBe(before + 2 * (3 + 4 + 5 + 6 + 7 + 8 + 9 + 10));
});

describe('a full record cache', () => {
  const length = 25;
  const full = () => {
    const cache = new RecordCache(1000);
    const put = (key: string, version = 1) => cache.put(key, version, { id: key }, length);
    const hot = Array.from({ length: 9 }, (_, n) => `hot ${n}`);
    for (const key of hot) put(key);
    return { cache, put, hot, cached: (keys: readonly string[]) => keys.filter((key) => cache.get(key)) };
  };

  it('evicts nothing for keys that are read once', () => {
    const { put, hot, cached } = full();
    const others = Array.from({ length: 1000 }, (_, n) => `other ${n}`);
    for (const key of others) put(key);
    expect(cached(hot)).toEqual(hot);
    expect(cached(others)).toEqual([]);
  });

  it('admits a key on its second access and evicts the least recently used one', () => {
    const { put, hot, cached } = full();
    put('other');
    put('other');
    expect(cached(['other'])).toEqual(['other']);
    expect(cached(hot)).toEqual(hot.slice(1));
  });

  it('replaces a cached version by the next one', () => {
    const { cache, put, hot, cached } = full();
    put('hot 3', 2);
    expect(cache.get('hot 3')?.version).toBe(2);
    expect(cached(hot)).toEqual(hot);
  });
});
