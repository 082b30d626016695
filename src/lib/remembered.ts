/** What was seen lately, by its key: so many at most, and what nobody asked for longest goes first. */
import { LRUCache } from 'lru-cache';

// Grows with what is asked: with `max` it would take all its room at once, at every start.
export const remembered = <Value extends object | string | number | true>(most: number) =>
  new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1 });
