/** LRU cache by entries, registered under a name for metrics. */
import { LRUCache } from 'lru-cache';
import { type CacheStats, type MeasuredCache, registerCache } from './cache-registry.ts';

class NamedLru<Value extends object | string | number | true>
  extends LRUCache<string, Value>
  implements MeasuredCache
{
  #hits = 0;
  #misses = 0;

  override get(key: string): Value | undefined {
    const value = super.get(key);
    if (value === undefined) this.#misses += 1;
    else this.#hits += 1;
    return value;
  }

  get stats(): CacheStats {
    return { entries: this.size, hits: this.#hits, misses: this.#misses };
  }
}

/** `name` labels the cache in metrics; `maxEntries` limits its size. */
export const createNamedLru = <Value extends object | string | number | true>(
  name: string,
  maxEntries: number,
) =>
  // `maxSize` instead of `max`: with `max`, LRUCache allocates its whole capacity at once.
  registerCache(name, new NamedLru<Value>({ maxSize: maxEntries, sizeCalculation: () => 1 }));
