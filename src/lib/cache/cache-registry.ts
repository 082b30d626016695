/** Registry of the caches of the process by name, from which metrics read their size and hit rate. */
export interface CacheStats {
  entries: number;
  /** Undefined for a cache that is limited by entries only. */
  bytes?: number;
  hits: number;
  misses: number;
}

export interface MeasuredCache {
  readonly stats: CacheStats;
}

/** Weak references: a cache that is no longer used is dropped from the statistics. */
const registered = new Set<{ name: string; cache: WeakRef<MeasuredCache> }>();

export function registerCache<T extends MeasuredCache>(name: string, cache: T): T {
  registered.add({ name, cache: new WeakRef(cache) });
  return cache;
}

/** Statistics by name; caches with the same name are summed up. */
export function collectCacheStats(): ReadonlyMap<string, CacheStats> {
  const statsByName = new Map<string, CacheStats>();
  for (const registration of registered) {
    const stats = registration.cache.deref()?.stats;
    if (stats) statsByName.set(registration.name, sumStats(stats, statsByName.get(registration.name)));
    else registered.delete(registration);
  }
  return statsByName;
}

const sumStats = (stats: CacheStats, sum: CacheStats | undefined): CacheStats =>
  sum
    ? {
        entries: stats.entries + sum.entries,
        ...(stats.bytes !== undefined && { bytes: stats.bytes + (sum.bytes ?? 0) }),
        hits: stats.hits + sum.hits,
        misses: stats.misses + sum.misses,
      }
    : stats;
