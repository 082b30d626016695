/** Caches tell by name what they hold and how often they knew. */
import { expect, it } from 'vitest';
import { cacheStates } from '../../src/lib/caches.ts';
import { RecordCache } from '../../src/lib/kept.ts';
import { remembered } from '../../src/lib/remembered.ts';

it('tells those of one name as one', () => {
  const [one, other] = [remembered<string>('test', 2), remembered<string>('test', 2)];
  for (const key of ['a', 'b', 'c']) one.set(key, key);
  other.set('d', 'd');
  expect([one.get('a'), one.get('c'), other.get('d'), other.get('e')]).toEqual([
    undefined,
    'c',
    'd',
    undefined,
  ]);
  expect(cacheStates().get('test')).toEqual({ entries: 3, hits: 2, misses: 2 });
});

it('tells the room of what is bounded by it', () => {
  const before = cacheStates().get('records') ?? { entries: 0, bytes: 0, hits: 0, misses: 0 };
  const cache = new RecordCache(1_000_000);
  cache.keep('one', 1, { id: 'one' }, 100);
  cache.find('one');
  cache.find('two');
  const { entries, bytes = 0, hits, misses } = cacheStates().get('records') ?? before;
  expect([entries - before.entries, hits - before.hits, misses - before.misses]).toEqual([1, 1, 1]);
  expect(bytes - (before.bytes ?? 0)).toBe(cache.state.bytes);
});
