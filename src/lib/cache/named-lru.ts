/** LRU cache by entries with keys of bounded length, registered under a name for metrics. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CacheStats, type MeasuredCache, registerCache } from './cache-registry.ts';

class NamedLru<Value extends object | string | number | true>
  extends LRUCache<string, Value>
  implements MeasuredCache
{
  #hits = 0;
  #misses = 0;
  readonly #maxKeyLength: number;

  constructor(maxEntries: number, maxKeyLength: number) {
    // `maxSize` instead of `max`: with `max`, LRUCache allocates its whole capacity at once.
    super({ maxSize: maxEntries, sizeCalculation: () => 1 });
    this.#maxKeyLength = maxKeyLength;
  }

  /** Clients choose many keys, such as credentials: a long one is stored as its hash, so that memory is bounded. */
  #storedKey(key: string): string {
    return key.length <= this.#maxKeyLength ? key : hash('sha256', key, 'base64');
  }

  override get(key: string): Value | undefined {
    const value = super.get(this.#storedKey(key));
    if (value === undefined) this.#misses += 1;
    else this.#hits += 1;
    return value;
  }

  override set(key: string, value: Value | undefined): this {
    return super.set(this.#storedKey(key), value);
  }

  override has(key: string): boolean {
    return super.has(this.#storedKey(key));
  }

  override delete(key: string): boolean {
    return super.delete(this.#storedKey(key));
  }

  get stats(): CacheStats {
    return { entries: this.size, hits: this.#hits, misses: this.#misses };
  }
}

const defaultMaxKeyLength = 128;

/** `name` labels the cache in metrics; `maxEntries` and `maxKeyLength` (characters, longer keys are hashed) limit its size. */
export const createNamedLru = <Value extends object | string | number | true>(
  name: string,
  maxEntries: number,
  maxKeyLength = defaultMaxKeyLength,
) => registerCache(name, new NamedLru<Value>(maxEntries, maxKeyLength));
