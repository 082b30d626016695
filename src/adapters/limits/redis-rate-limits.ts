/** Rate limits in Redis, shared by all processes. */
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter, RateLimitRule, RateLimitState } from '../../ports/rate-limits.ts';
import { createMemoryRateLimiter } from './in-process-rate-limits.ts';

/** Connects to Redis. Logs an outage once and the recovery once, regardless of the number of reconnects. */
export async function connectRedis(url: string, log: Logger, waitMs = 1_000): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: waitMs,
    // Replaces a connection without responses, such as one that a firewall has dropped silently.
    socketTimeout: 2 * waitMs,
  });
  let isUnavailable = false;
  redis.on('error', (error) => {
    if (!isUnavailable)
      log.warn({ err: error }, 'Redis unavailable: falling back to in-process rate limits and budgets');
    isUnavailable = true;
  });
  redis.on('ready', () => {
    if (isUnavailable) log.info('Redis available: rate limits and budgets are shared again');
    isUnavailable = false;
  });
  await redis.connect().catch(() => {});
  return redis;
}

/** While Redis does not respond, each process counts for itself: too generous a limit is better than no sign-in. */
export function createRedisRateLimiter(redis: Redis): RateLimiter {
  const fallback = createMemoryRateLimiter();
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
      } catch (error) {
        return error instanceof RateLimiterRes ? stateOf(rule, error, true) : fallback.consume(rule, key);
      }
    },
    async release(rule, key) {
      await limiterOf(rule)
        .reward(key)
        .catch(() => fallback.release(rule, key));
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

/** Time of the Redis server in seconds; undefined when it does not respond within `waitMs`. */
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
