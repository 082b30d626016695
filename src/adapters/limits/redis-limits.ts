/** Rate limits in Redis, shared by several processes. */
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitRule, RateLimitState, RateLimits } from '../../ports/rate-limits.ts';
import { createMemoryLimits } from './memory-limits.ts';

/** Says once that Redis is away, and once that it is back, however often it is tried in between. */
export async function connectRedis(url: string, log: Logger, waitMs = 1_000): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: waitMs,
    // A connection on which nothing comes back, as when a firewall has forgotten it, is given up for a new one.
    socketTimeout: 2 * waitMs,
  });
  let away = false;
  redis.on('error', (error) => {
    if (!away) log.warn({ err: error }, 'redis is away: this process counts limits and budgets alone');
    away = true;
  });
  redis.on('ready', () => {
    if (away) log.info('redis is back: limits and budgets are shared again');
    away = false;
  });
  await redis.connect().catch(() => {});
  return redis;
}

/** While Redis does not answer, each process counts for itself: a limit that is too generous beats no sign-in at all. */
export function createRedisLimits(redis: Redis): RateLimits {
  const alone = createMemoryLimits();
  const limiters = new Map<string, RateLimiterRedis>();
  function limiterOf({ name, points, seconds }: RateLimitRule): RateLimiterRedis {
    const limiter =
      limiters.get(name) ??
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `duet:limit:${name}`,
        points,
        duration: seconds,
      });
    limiters.set(name, limiter);
    return limiter;
  }
  return {
    async consume(rule, key) {
      try {
        return stateOf(rule, await limiterOf(rule).consume(key), false);
      } catch (refusal) {
        return refusal instanceof RateLimiterRes ? stateOf(rule, refusal, true) : alone.consume(rule, key);
      }
    },
    async release(rule, key) {
      await limiterOf(rule)
        .reward(key)
        .catch(() => alone.release(rule, key));
    },
    close: async () => redis.disconnect(),
  };
}

const stateOf = (rule: RateLimitRule, result: RateLimiterRes, exceeded: boolean): RateLimitState => ({
  limit: rule.points,
  remaining: Math.max(0, result.remainingPoints),
  reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  exceeded,
});

/** The time on Redis' clock in seconds, or undefined when it does not answer. */
export async function readRedisTime(url: string, waitMs = 5_000): Promise<number | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: waitMs,
    commandTimeout: waitMs,
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    const [seconds, microseconds] = await redis.time();
    return Number(seconds) + Number(microseconds) / 1e6;
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}
