/** Rate limits counted in this process, within a bounded memory. */
import type { LRUCache } from 'lru-cache';
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import type { RateLimitRule, RateLimitState, RateLimits } from '../../ports/rate-limits.ts';

/** For deployments that limit elsewhere, and for tests that hammer. */
export const noLimits: RateLimits = {
  consume: async () => undefined,
  release: async () => {},
  close: async () => {},
};

/** Of one rule. Beyond this many, those not tried for longest begin anew: too generous beats out of memory. */
const maxKeys = 50_000;

interface Count {
  used: number;
  endsAt: number;
}

export function createMemoryLimits(clock: () => number = Date.now, keys = maxKeys): RateLimits {
  // By rule, so that keys made up for one of them push out none of another.
  const counts = new Map<string, LRUCache<string, Count>>();

  function countOf({ name, seconds }: RateLimitRule, key: string): Count {
    const ofRule = counts.get(name) ?? createNamedLru<Count>('limits', keys);
    counts.set(name, ofRule);
    const known = ofRule.get(key);
    if (known && known.endsAt > clock()) return known;
    const fresh = { used: 0, endsAt: clock() + seconds * 1000 };
    ofRule.set(key, fresh);
    return fresh;
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
