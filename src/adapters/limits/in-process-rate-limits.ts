/** Rate limits counted in this process, in bounded caches. */
import type { LRUCache } from 'lru-cache';
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import type { RateLimiter, RateLimitRule, RateLimitState } from '../../ports/rate-limits.ts';

/** No rate limits: for deployments that limit elsewhere, and for load tests. */
export const noopRateLimiter: RateLimiter = {
  consume: async () => undefined,
  release: async () => {},
  close: async () => {},
};

/** Keys per rule, 3 MB at most. Beyond this number the least recently used are dropped: too generous is better than out of memory. */
const maxKeys = 10_000;

interface Count {
  used: number;
  endsAt: number;
}

export function createMemoryRateLimiter(clock: () => number = Date.now, keys = maxKeys): RateLimiter {
  // One cache per rule, so that invented keys of one rule do not evict those of another.
  const counts = new Map<string, LRUCache<string, Count>>();

  function countOf({ name, seconds }: RateLimitRule, key: string): Count {
    const ruleCounts = counts.get(name) ?? createNamedLru<Count>('limits', keys);
    counts.set(name, ruleCounts);
    const current = ruleCounts.get(key);
    if (current && current.endsAt > clock()) return current;
    const newCount = { used: 0, endsAt: clock() + seconds * 1000 };
    ruleCounts.set(key, newCount);
    return newCount;
  }

  return {
    async consume(rule, key): Promise<RateLimitState> {
      const count = countOf(rule, key);
      count.used += 1;
      return {
        limit: rule.points,
        remaining: Math.max(0, rule.points - count.used),
        reset: Math.max(1, Math.ceil((count.endsAt - clock()) / 1000)),
        exceeded: count.used > rule.points,
      };
    },
    async release(rule, key) {
      const count = countOf(rule, key);
      count.used = Math.max(0, count.used - 1);
    },
    close: async () => {},
  };
}
