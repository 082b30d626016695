/**
 * LRU caches by entries, registered under a name for metrics: for keys of bounded length, for long texts such as tokens, and for
 * parsed requests.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CacheAdmissionFilter } from './admission-filter.ts';
import { type CacheStats, type MeasuredCache, registerCache } from './cache-registry.ts';
import { freezeForMemoization } from './hidden-property.ts';

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

interface LongKeyLru<Value> {
  get(text: string): Value | undefined;
  /** Replaces an entry whose key has the same length and ends, so losing an entry must be harmless. */
  set(text: string, value: Value): void;
  clear(): void;
}

/** Characters per end; longer than the signature at the end of a token. */
const endLength = 120;

const endsOf = (text: string): string =>
  text.length > 3 * endLength ? `${text.length}${text.slice(0, endLength)}${text.slice(-endLength)}` : text;

/** Longer texts are not cached. */
const maxTextLength = 4_000;

/**
 * LRU cache with long texts as keys. Hashing a whole key takes longer than the work that the cache saves; here only both ends of the text
 * are hashed, and the full text is compared. `name` labels the cache in metrics; `maxEntries` limits its size.
 */
export function createLongKeyLru<Value>(name: string, maxEntries: number): LongKeyLru<Value> {
  const lru = createNamedLru<{ text: string; value: Value }>(name, maxEntries, 3 * endLength);
  return {
    get(text) {
      const entry = lru.get(endsOf(text));
      return entry?.text === text ? entry.value : undefined;
    },
    set(text, value) {
      if (text.length <= maxTextLength) lru.set(endsOf(text), { text, value });
    },
    clear: () => lru.clear(),
  };
}

interface ParsedRequestCache<ParsedRequest> {
  find(text: string): ParsedRequest | undefined;
  store(text: string, request: ParsedRequest): void;
}

const maxRequests = 3000;
const maxRequestLength = 3000;
/** Size of the admission filter: texts seen once that are compared with new ones. */
const maxSeenOnce = 2000;

/**
 * PERF: memo of parsed requests, keyed by their text; only for requests without secrets. `variablesOf` returns the object that all further
 * values are derived from, usually the variables: they are memoized with it.
 */
export function createParsedRequestCache<ParsedRequest extends object>(
  variablesOf: (request: ParsedRequest) => object | null | undefined,
): ParsedRequestCache<ParsedRequest> {
  const requests = createNamedLru<ParsedRequest>('parsed_requests', maxRequests, maxRequestLength);
  const admission = new CacheAdmissionFilter();
  return {
    find: (text) => requests.get(text),
    store(text, request) {
      if (text.length > maxRequestLength || requests.has(text) || !admission.admits(text, maxSeenOnce))
        return;
      const variables = variablesOf(request);
      if (variables) freezeForMemoization(variables);
      requests.set(text, request);
    },
  };
}
