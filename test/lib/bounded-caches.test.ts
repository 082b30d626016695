/** Caches whose keys are chosen by clients: memory is bounded although keys may be long. */
import { expect, it } from 'vitest';
import { createLongKeyLru, createNamedLru } from '../../src/lib/cache/named-lru.ts';

it('stores the hash of a long key', () => {
  const cache = createNamedLru<number>('test', 10);
  const key = `key ${'x'.repeat(10_000)}`;
  cache.set(key, 1);
  cache.set(`${key}y`, 2);
  expect([cache.get(key), cache.get(`${key}y`), cache.get(`${key}z`), cache.has(key)]).toEqual([
    1,
    2,
    undefined,
    true,
  ]);
  expect(Math.max(...[...cache.keys()].map(({ length }) => length))).toBeLessThan(200);
  cache.delete(key);
  expect(cache.has(key)).toBe(false);
});

it('does not cache overlong tokens', () => {
  const cache = createLongKeyLru<number>('test', 10);
  cache.set('t'.repeat(500), 1);
  cache.set('t'.repeat(16_000), 2);
  expect([cache.get('t'.repeat(500)), cache.get('t'.repeat(16_000))]).toEqual([1, undefined]);
});
