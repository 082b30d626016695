/** Rate limits in Redis, shared by several processes. */
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Limits } from '../../ports/limits.ts';
import { limitsFrom } from './flexible.ts';

/** While Redis does not answer, each process counts for itself: a limit that is too generous beats no sign-in at all. */
export async function createRedisLimits(url: string, log: Logger): Promise<Limits> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 1000,
  });
  redis.on('error', (error) => log.warn({ err: error }, 'redis'));
  await redis.connect().catch(() => {});
  return limitsFrom(
    ({ name, points, seconds }) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `duet:limit:${name}`,
        points,
        duration: seconds,
        insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
      }),
    async () => redis.disconnect(),
  );
}

/** The time on Redis' clock in seconds, or undefined when it does not answer. */
export async function redisTime(url: string): Promise<number | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 5_000,
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
