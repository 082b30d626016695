/** Rate limits on rate-limiter-flexible: in this process, or in Redis for several processes. */
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { LimitRule, LimitState, Limits } from '../../ports/limits.ts';

/** For deployments that limit elsewhere, and for tests that hammer. */
export const noLimits: Limits = {
  take: async () => undefined,
  giveBack: async () => {},
  close: async () => {},
};

export const createMemoryLimits = (): Limits =>
  limitsFrom(
    ({ name, points, seconds }) => new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
    async () => {},
  );

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

function limitsFrom(create: (rule: LimitRule) => RateLimiterAbstract, close: () => Promise<void>): Limits {
  const limiters = new Map<string, RateLimiterAbstract>();
  const limiterOf = (rule: LimitRule) => {
    const known = limiters.get(rule.name) ?? create(rule);
    limiters.set(rule.name, known);
    return known;
  };
  return {
    close,
    async take(rule, key) {
      try {
        return stateOf(rule, await limiterOf(rule).consume(key), false);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return stateOf(rule, refusal, true);
        throw refusal;
      }
    },
    async giveBack(rule, key) {
      await limiterOf(rule).reward(key);
    },
  };
}

const stateOf = (rule: LimitRule, result: RateLimiterRes, exceeded: boolean): LimitState => ({
  limit: rule.points,
  remaining: Math.max(0, result.remainingPoints),
  reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  exceeded,
});
