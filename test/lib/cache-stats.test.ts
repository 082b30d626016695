/** Caches tell by name what they hold and how often they knew. */
import { describe, expect, it } from 'vitest';
import { collectCacheStats } from '../../src/lib/cache/cache-registry.ts';
import { createLongKeyLru } from '../../src/lib/cache/long-key-lru.ts';
import { createNamedLru } from '../../src/lib/cache/named-lru.ts';
import { RecordCache, registerRecordView, renderCached } from '../../src/lib/cache/record-cache.ts';

it('tells those of one name as one', () => {
  const [one, other] = [createNamedLru<string>('test', 2), createNamedLru<string>('test', 2)];
  for (const key of ['a', 'b', 'c']) one.set(key, key);
  other.set('d', 'd');
  expect([one.get('a'), one.get('c'), other.get('d'), other.get('e')]).toEqual([
    undefined,
    'c',
    'd',
    undefined,
  ]);
  expect(collectCacheStats().get('test')).toEqual({ entries: 3, hits: 2, misses: 2 });
});

it('never takes one long text for another', () => {
  const texts = createLongKeyLru<number>('test texts', 100);
  const text = (middle: string, end = 'z') => `${'a'.repeat(500)}${middle}${end.repeat(500)}`;
  texts.set(text('one'), 1);
  expect(texts.get(text('one'))).toBe(1);
  for (const other of [text('two'), text('three'), text('one', 'y'), text('one').slice(1), ''])
    expect(texts.get(other)).toBeUndefined();
  // Those that cannot be told apart by their ends take each other's place.
  texts.set(text('two'), 2);
  expect([texts.get(text('one')), texts.get(text('two'))]).toEqual([undefined, 2]);
  texts.set(text('three'), 3);
  expect([texts.get(text('two')), texts.get(text('three'))]).toEqual([2, 3]);
  texts.clear();
  expect(texts.get(text('three'))).toBeUndefined();
});

it('tells the room of what is bounded by it', () => {
  const before = collectCacheStats().get('records') ?? { entries: 0, bytes: 0, hits: 0, misses: 0 };
  const cache = new RecordCache(1_000_000);
  cache.put('one', 1, { id: 'one' }, 100);
  cache.get('one');
  cache.get('two');
  const { entries, bytes = 0, hits, misses } = collectCacheStats().get('records') ?? before;
  expect([entries - before.entries, hits - before.hits, misses - before.misses]).toEqual([1, 1, 1]);
  expect(bytes - (before.bytes ?? 0)).toBe(cache.stats.bytes);
});

it('holds of a text no more than its bytes, and counts them with what they may be packed into', () => {
  const cache = new RecordCache(1_000_000);
  const record = cache.put('one', 1, { id: 'one' }, 100);
  const before = cache.stats.bytes ?? 0;
  const makeText = () => ({ bytes: Buffer.from('x'.repeat(300)) });
  const held = [record, registerRecordView(record, { id: 'its view' })].map(
    (of) => renderCached(of, {}, makeText).bytes,
  );
  for (const bytes of held) {
    expect(Buffer.from(bytes).toString()).toBe('x'.repeat(300));
    expect(bytes.buffer.byteLength).toBe(300);
  }
  expect(cache.stats.bytes).toBe(before + 2 * 2 * 300);
});

it('gives back the room of the oldest of many texts of a record', () => {
  const cache = new RecordCache(1_000_000);
  const record = cache.put('one', 1, { id: 'one' }, 100);
  const before = cache.stats.bytes ?? 0;
  for (let size = 1; size <= 10; size += 1) renderCached(record, {}, () => ({ bytes: Buffer.alloc(size) }));
  expect(cache.stats.bytes).toBe(before + 2 * (3 + 4 + 5 + 6 + 7 + 8 + 9 + 10));
});

describe('a full cache of records', () => {
  const length = 25;
  const full = () => {
    const cache = new RecordCache(1000);
    const keep = (key: string, version = 1) => cache.put(key, version, { id: key }, length);
    const hot = Array.from({ length: 9 }, (_, n) => `hot ${n}`);
    for (const key of hot) keep(key);
    return { cache, keep, hot, here: (keys: readonly string[]) => keys.filter((key) => cache.get(key)) };
  };

  it('loses nothing to somebody who reads through everything once', () => {
    const { keep, hot, here } = full();
    const others = Array.from({ length: 1000 }, (_, n) => `other ${n}`);
    for (const key of others) keep(key);
    expect(here(hot)).toEqual(hot);
    expect(here(others)).toEqual([]);
  });

  it('takes in what is read again, for what was not read for longest', () => {
    const { keep, hot, here } = full();
    keep('other');
    keep('other');
    expect(here(['other'])).toEqual(['other']);
    expect(here(hot)).toEqual(hot.slice(1));
  });

  it('takes in the next version of what it has', () => {
    const { cache, keep, hot, here } = full();
    keep('hot 3', 2);
    expect(cache.get('hot 3')?.version).toBe(2);
    expect(here(hot)).toEqual(hot);
  });
});
