/** Keeps prepared documents within a bounded memory, of which no caller gets more than a share. */
import { LRUCache } from 'lru-cache';
import { type MeasuredCache, registerCache } from '../../lib/cache/cache-registry.ts';

/** In units of about 100 bytes: a character of the source, parsed, takes one. */
interface Sizes {
  /** Documents that were seen once or twice. */
  fresh: number;
  /** Documents that are run again and again, with the code made for them. */
  kept: number;
  /** The part of `kept` that one caller's documents may take. */
  share: number;
}

const defaultSizes: Sizes = { fresh: 300_000, kept: 1_500_000, share: 400_000 };

const bytesPerUnit = 100;
/** The code made for one field. */
const unitsPerField = 80;

export interface DocumentCache<Entry> extends MeasuredCache {
  get(source: string): Entry | undefined;
  /** Remembers a new document of a caller for a while. */
  add(source: string, entry: Entry, caller: string): void;
  /** Keeps a document for longer. False: it must do as it is, since its caller keeps enough already. */
  promote(source: string, fields: number): boolean;
}

export function createDocumentCache<Entry extends object>({
  fresh: freshSize,
  kept: keptSize,
  share,
}: Sizes = defaultSizes): DocumentCache<Entry> {
  interface Held {
    entry: Entry;
    caller: string;
  }
  const fresh = new LRUCache<string, Held>({
    maxSize: freshSize,
    sizeCalculation: (_held, source) => source.length + 100,
  });
  const shares = new Map<string, number>();
  const spend = (caller: string, size: number) => {
    const left = (shares.get(caller) ?? 0) + size;
    if (left > 0) shares.set(caller, left);
    else shares.delete(caller);
  };
  const kept = new LRUCache<string, Held & { size: number }>({
    maxSize: keptSize,
    sizeCalculation: ({ size }) => size,
    dispose: ({ caller, size }) => spend(caller, -size),
  });
  let hits = 0;
  let misses = 0;
  return registerCache('documents', {
    get(source) {
      const held = kept.get(source) ?? fresh.get(source);
      if (held) hits += 1;
      else misses += 1;
      return held?.entry;
    },
    get stats() {
      const bytes = (kept.calculatedSize + fresh.calculatedSize) * bytesPerUnit;
      return { entries: kept.size + fresh.size, bytes, hits, misses };
    },
    add: (source, entry, caller) => void fresh.set(source, { entry, caller }),
    promote(source, fields) {
      const held = fresh.peek(source);
      if (!held) return kept.has(source);
      const size = source.length + fields * unitsPerField;
      if ((shares.get(held.caller) ?? 0) + size > share) return false;
      fresh.delete(source);
      spend(held.caller, size);
      kept.set(source, { ...held, size });
      return true;
    },
  });
}
