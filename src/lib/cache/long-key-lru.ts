/**
 * LRU cache with long texts as keys, such as tokens and documents. Hashing a whole key takes longer than the work that the cache saves;
 * here only both ends of the text are hashed, and the full text is compared.
 */
import { createNamedLru } from './named-lru.ts';

export interface LongKeyLru<Value> {
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

/** `name` labels the cache in metrics; `maxEntries` limits its size. */
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
