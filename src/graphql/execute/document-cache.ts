/** Two-level LRU cache of prepared documents, with a memory limit and a share per client address. */
import { LRUCache } from 'lru-cache/raw';
import { type MeasuredCache, registerCache } from '../../lib/cache/cache-registry.ts';

/** In units of about 100 bytes, the memory of one parsed source character. */
interface Sizes {
  /** Documents seen once or twice. */
  fresh: number;
  /** Documents run repeatedly, with their compiled code. */
  promoted: number;
  /** Maximum part of `promoted` for the documents of one caller. */
  share: number;
}

/** 64 MB in total. */
const defaultSizes: Sizes = { fresh: 110_000, promoted: 530_000, share: 180_000 };

const bytesPerUnit = 100;

/** Compiled code of one field. */
const unitsPerField = 80;

/** Two-level LRU cache of prepared client documents with a memory limit, and a share of it per client address. */
interface DocumentCache<Entry> extends MeasuredCache {
  get(source: string): Entry | undefined;
  /** Caches a new document of a caller. */
  add(source: string, entry: Entry, caller: string): void;
  /** Moves a document to the second level. False: it must not be compiled, because its caller has used up its share. */
  promote(source: string, fields: number): boolean;
}

export function createDocumentCache<Entry extends object>({
  fresh: freshSize,
  promoted: promotedSize,
  share,
}: Sizes = defaultSizes): DocumentCache<Entry> {
  interface CachedDocument {
    entry: Entry;
    caller: string;
  }
  const fresh = new LRUCache<string, CachedDocument>({
    maxSize: freshSize,
    sizeCalculation: (_document, source) => source.length + 100,
  });
  const shares = new Map<string, number>();
  const addToShare = (caller: string, size: number) => {
    const used = (shares.get(caller) ?? 0) + size;
    if (used > 0) shares.set(caller, used);
    else shares.delete(caller);
  };
  const promoted = new LRUCache<string, CachedDocument & { size: number }>({
    maxSize: promotedSize,
    sizeCalculation: ({ size }) => size,
    dispose: ({ caller, size }) => addToShare(caller, -size),
  });
  let hits = 0;
  let misses = 0;
  return registerCache('documents', {
    get(source) {
      const cached = promoted.get(source) ?? fresh.get(source);
      if (cached) hits += 1;
      else misses += 1;
      return cached?.entry;
    },
    get stats() {
      const bytes = (promoted.calculatedSize + fresh.calculatedSize) * bytesPerUnit;
      return { entries: promoted.size + fresh.size, bytes, hits, misses };
    },
    add: (source, entry, caller) => void fresh.set(source, { entry, caller }),
    promote(source, fields) {
      const cached = fresh.peek(source);
      if (!cached) return promoted.has(source);
      const size = source.length + fields * unitsPerField;
      if ((shares.get(cached.caller) ?? 0) + size > share) return false;
      fresh.delete(source);
      addToShare(cached.caller, size);
      promoted.set(source, { ...cached, size });
      return true;
    },
  });
}
