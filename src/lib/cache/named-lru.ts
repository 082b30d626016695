/** What was seen lately, by its key: so many at most, and what nobody asked for longest goes first. */
import { LRUCache } from 'lru-cache';
import { type CacheStats, type MeasuredCache, registerCache } from './cache-registry.ts';

class Remembered<Value extends object | string | number | true>
  extends LRUCache<string, Value>
  implements MeasuredCache
{
  #hits = 0;
  #misses = 0;

  override get(key: string): Value | undefined {
    const found = super.get(key);
    if (found === undefined) this.#misses += 1;
    else this.#hits += 1;
    return found;
  }

  get stats(): CacheStats {
    return { entries: this.size, hits: this.#hits, misses: this.#misses };
  }
}

/** The name is what metrics call it. */
export const createNamedLru = <Value extends object | string | number | true>(name: string, most: number) =>
  // Grows with what is asked: with `max` it would take all its room at once, at every start.
  registerCache(name, new Remembered<Value>({ maxSize: most, sizeCalculation: () => 1 }));
