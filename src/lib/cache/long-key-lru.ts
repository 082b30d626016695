/**
 * What was seen lately, by long texts that come again. To look one up is to read all of it for its hash, which takes longer than whatever
 * is done with a text that is known: here its ends are read, and the rest is compared.
 */
import { createNamedLru } from './named-lru.ts';

export interface LongKeyLru<Value> {
  get(text: string): Value | undefined;
  /** Takes the place of another that has the same length and the same ends: so it must be no harm to forget one. */
  set(text: string, value: Value): void;
  clear(): void;
}

/** More than the signature of a token, which is its end. */
const endLength = 120;

const endsOf = (text: string): string =>
  text.length > 3 * endLength ? `${text.length}${text.slice(0, endLength)}${text.slice(-endLength)}` : text;

/** The name is what metrics call it. */
export function createLongKeyLru<Value>(name: string, most: number): LongKeyLru<Value> {
  const kept = createNamedLru<{ text: string; value: Value }>(name, most);
  return {
    get(text) {
      const found = kept.get(endsOf(text));
      return found?.text === text ? found.value : undefined;
    },
    set: (text, value) => void kept.set(endsOf(text), { text, value }),
    clear: () => kept.clear(),
  };
}
