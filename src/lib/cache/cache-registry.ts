/** Every bounded cache of the process by its name, for whoever looks how full and how useful they are. */
export interface CacheStats {
  entries: number;
  /** Undefined where only entries are bounded. */
  bytes?: number;
  hits: number;
  misses: number;
}

export interface MeasuredCache {
  readonly stats: CacheStats;
}

/** Weakly: a cache that nobody uses any more is none. */
const known = new Set<{ name: string; cache: WeakRef<MeasuredCache> }>();

export function registerCache<T extends MeasuredCache>(name: string, cache: T): T {
  known.add({ name, cache: new WeakRef(cache) });
  return cache;
}

/** Those of one name are told as one. */
export function collectCacheStats(): ReadonlyMap<string, CacheStats> {
  const states = new Map<string, CacheStats>();
  for (const one of known) {
    const state = one.cache.deref()?.stats;
    if (state) states.set(one.name, together(state, states.get(one.name)));
    else known.delete(one);
  }
  return states;
}

const together = (one: CacheStats, other: CacheStats | undefined): CacheStats =>
  other
    ? {
        entries: one.entries + other.entries,
        ...(one.bytes !== undefined && { bytes: one.bytes + (other.bytes ?? 0) }),
        hits: one.hits + other.hits,
        misses: one.misses + other.misses,
      }
    : one;
